import { McpServer } from '@modelcontextprotocol/server'
import type { Ready } from '../start/ready.ts'
import { registerPrompts, registerResources } from './register-resources.ts'
import { registerTools } from './register-tools.ts'

/** Creates a server of the official SDK, with all tools, resources and prompts registered. */
export function createServer(ready: Ready): McpServer {
  const { info, instructions, resources, prompts } = ready.parts
  // A toolkit's tools do not change after the start.
  const stays = { listChanged: false }
  const server = new McpServer(info, {
    capabilities: {
      logging: {},
      tools: stays,
      ...(resources.length === 0 ? {} : { resources: stays }),
      ...(prompts.length === 0 ? {} : { prompts: stays }),
    },
    ...(instructions === undefined ? {} : { instructions }),
    requestState: { verify: (state, ctx) => ready.codec.verify(state, ctx) },
  })
  registerTools(server, ready)
  registerResources({ server, ready })
  registerPrompts({ server, ready })
  return server
}
