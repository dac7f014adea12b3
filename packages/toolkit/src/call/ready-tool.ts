import type { ToolEntry } from '../start/entries.ts'
import type { LogLevel } from './log.ts'

/** A tool that can run, with its environment. */
export interface ReadyTool {
  readonly entry: ToolEntry
  readonly env: unknown
}

/** Writes a line with the tool's name to the server's log. */
export function write({ entry }: ReadyTool, level: LogLevel, message: string, data?: unknown): void {
  const { home, name } = entry
  const more = data === undefined ? {} : { data }
  home.log({ time: new Date().toISOString(), level, server: home.name, tool: name, message, ...more })
}
