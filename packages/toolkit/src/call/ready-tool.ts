import type { ToolEntry } from '../start/entries.ts'
import type { LogLevel } from './log.ts'

/** A tool with its environment. */
export interface ReadyTool {
  readonly entry: ToolEntry
  readonly env: unknown
}

/** Writes a line to the server's log, under the tool's name. */
export function write({ entry }: ReadyTool, level: LogLevel, message: string, data?: unknown): void {
  const { home, name } = entry
  const more = data === undefined ? {} : { data }
  home.log({ time: new Date().toISOString(), level, server: home.name, tool: name, message, ...more })
}
