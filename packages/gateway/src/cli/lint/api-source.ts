import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { attempt } from '../../base/attempt.ts'
import { type LocatedTool, UnreadableInput } from './tool-source.ts'

const HEAD = 4096

/** True for a file with an OpenAPI document: YAML, or JSON that starts like one. */
export function isApiDocument(target: string): boolean {
  // A command line can end with the name of a file, too.
  if (!existsSync(target)) return false
  if (/\.ya?ml$/i.test(target)) return true
  return target.endsWith('.json') && /"openapi"\s*:\s*"3/.test(attempt(() => readHead(target)) ?? '')
}

function readHead(file: string): string {
  const handle = openSync(file, 'r')
  try {
    const head = Buffer.alloc(HEAD)
    return head.subarray(0, readSync(handle, head)).toString()
  } finally {
    closeSync(handle)
  }
}

/** Yields the tools that the gateway would create from an OpenAPI document. It leaves some operations out. */
export async function* readApiTools(file: string): AsyncGenerator<LocatedTool> {
  const { loadApi } = await import('../../upstream/openapi/load-api.ts')
  const usual = { headers: {}, auth: undefined, include: [], exclude: [] }
  try {
    const { operations } = await loadApi({ kind: 'openapi', file, url: 'http://localhost', ...usual })
    for (const { definition } of operations.values()) yield { file, line: 1, server: file, definition }
  } catch (error) {
    throw new UnreadableInput((error as Error).message, 'correct the document, or name another file')
  }
}
