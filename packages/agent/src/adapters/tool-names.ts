import type { AgentTool } from '../catalog/agent-tool.ts'

const MAX_LENGTH = 64

/**
 * Gives each tool a name that models accept, which has only letters, digits, `_` and `-`. If a name is too long or
 * already taken, it ends in part of the tool's fingerprint.
 */
export function nameTools(tools: readonly AgentTool[]): ReadonlyMap<string, AgentTool> {
  const named = new Map<string, AgentTool>()
  for (const tool of tools) {
    const plain = `${tool.server}__${tool.name}`.replaceAll(/[^A-Za-z0-9_-]/g, '_')
    const isPlain = plain.length <= MAX_LENGTH && !named.has(plain)
    named.set(isPlain ? plain : withMark(plain, tool), tool)
  }
  return named
}

function withMark(plain: string, { fingerprint }: AgentTool): string {
  const mark = `_${fingerprint.slice(0, 8)}`
  return `${plain.slice(0, MAX_LENGTH - mark.length)}${mark}`
}
