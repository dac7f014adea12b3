import { nearest } from '@hintgate/metadata'
import { HintgateError } from '../../base/errors.ts'
import type { Client } from '../client.ts'
import { claudeCode } from './claude-code.ts'
import { claudeDesktop } from './claude-desktop.ts'
import { codex } from './codex.ts'
import { cursor } from './cursor.ts'
import { gemini } from './gemini.ts'
import { mcpproxy } from './mcpproxy.ts'
import { vsCode } from './vs-code.ts'
import { windsurf } from './windsurf.ts'

export const CLIENTS: readonly Client[] = [
  claudeCode,
  claudeDesktop,
  codex,
  cursor,
  gemini,
  mcpproxy,
  vsCode,
  windsurf,
]

export const CLIENT_IDS: readonly string[] = CLIENTS.map(({ id }) => id)

/** By its name, however it is spelt: `vscode`, `VS Code`, `vs-code`. */
export function findClient(name: string): Client {
  const wanted = plain(name)
  const found = CLIENTS.find(({ id, title }) => plain(id) === wanted || plain(title) === wanted)
  if (found !== undefined) return found
  const meant = nearest(name.toLowerCase(), CLIENT_IDS)
  throw new HintgateError('client_unknown', {
    name: name.slice(0, 80),
    known: CLIENT_IDS,
    ...(meant && { meant }),
  })
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '')
}
