// A third-party server with added metadata. Takes the command of any MCP server:
//   node examples/mounted-server.mjs npx -y @modelcontextprotocol/server-memory
import { Toolkit } from '@hintgate/toolkit'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const [command = 'npx', ...args] = process.argv.slice(2)
const memory = new StdioClientTransport({ command, args, stderr: 'inherit' })

const toolkit = new Toolkit({ name: 'memory', version: '1.0.0' }).tool({
  name: 'about',
  description: 'Says where these tools come from.',
  preset: 'read-query',
  execute: ctx => ctx.text(`mounted: ${[command, ...args].join(' ')}`),
})

await toolkit.mount(memory, {
  prefix: 'memory_',
  tools: {
    // The server does not declare that its data stays on this machine and that deletions are final.
    read_graph: { title: 'Read everything', behavior: { sensitive: true, egress: false, reach: 'local' } },
    delete_entities: {
      behavior: { operations: ['delete'], reversible: false },
      action: 'Forgot {entityNames}',
      tags: ['forget'],
    },
    // Not exposed.
    add_observations: false,
  },
})

await toolkit.serve({ args: [] })
