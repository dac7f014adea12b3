import { randomUUID } from 'node:crypto'
import { ToolFailure } from './question.ts'
import { type ReadyTool, write } from './ready-tool.ts'
import type { CallError } from './results.ts'

/**
 * Returns the part of an error that the caller may see. The details are logged with a reference, which the caller is
 * given.
 */
export function explainError(error: unknown, tool: ReadyTool, signal?: AbortSignal): CallError {
  const { name } = tool.entry
  if (error instanceof ToolFailure) {
    const details = error.details === undefined ? {} : { details: error.details }
    return { code: 'failed', message: error.message, ...details }
  }
  if (signal?.aborted && isAbort(error, signal)) {
    write(tool, 'info', 'cancelled by the caller')
    return { code: 'cancelled', message: `${name} was cancelled by the caller.` }
  }
  const reference = randomUUID().slice(0, 8)
  write(tool, 'error', 'failed', { reference, ...describeError(error) })
  return { code: 'failed', message: `${name} failed. Details are in the server log under ${reference}.` }
}

function isAbort(error: unknown, signal: AbortSignal): boolean {
  return error === signal.reason || (error instanceof Error && error.name === 'AbortError')
}

export function describeError(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { error: String(error) }
  const { cause: found } = error
  const cause = found === undefined ? {} : { cause: found instanceof Error ? found.message : found }
  return { error: error.message, stack: error.stack, ...cause }
}
