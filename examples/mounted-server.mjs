// A server that somebody else wrote, with metadata laid over it. It takes the command of any MCP server:
//   node examples/mounted-server.mjs npx -y @modelcontextprotocol/server-memory
import { Toolkit } from '@hintgate/toolkit'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const [command = 'npx', ...args] = process.argv.slice(2)
const memory = new StdioClientTransport({ command, args, stderr: 'inherit' })

const toolkit = new Toolkit({ name: 'memory', version: '1.0.0' }).tool({
  name: 'about',
  description: 'Says where these tools are from.',
  preset: 'read-query',
  execute: ctx => ctx.text(`mounted: ${[command, ...args].join(' ')}`),
})

await toolkit.mount(memory, {
  prefix: 'memory_',
  tools: {
    // What the server leaves unsaid: nothing of this leaves the machine, and what is deleted is gone.
    read_graph: { title: 'Read everything', behavior: { sensitive: true, egress: false, reach: 'local' } },
    delete_entities: {
      behavior: { operations: ['delete'], reversible: false },
      action: 'Forgot {entityNames}',
      tags: ['forget'],
    },
    // Left out: nobody here needs it.
    add_observations: false,
  },
})

await toolkit.serve({ args: [] })
