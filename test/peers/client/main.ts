// A client for the suite: … client --command "node test/peers/dist/client/main.js" --requirements 2026-07-28
// The suite appends the URL of its server and says in the environment which scenario runs, at which revision.
import type { Connection, Context } from './connect.ts'
import { connect } from './connect.ts'
import { example } from './examples.ts'

const url = new URL(process.argv.at(-1) ?? '')
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const revision = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? '2025-11-25'
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as Context

const connection = await connect({ url, modern: revision >= '2026-07-28', scenario, context })
await useTools(connection, context)
await useResources(connection)
await usePrompts(connection)
await connection.close()

/** Calls what the scenario names, or else every tool with arguments made up from its schema. */
async function useTools({ client, attempt }: Connection, { toolCalls }: Context): Promise<void> {
  const { tools } = await attempt(() => client.listTools())
  const calls = toolCalls ?? tools.map(tool => ({ name: tool.name, arguments: argumentsFor(tool.name) }))
  for (const call of calls) {
    await attempt(() => client.callTool(call)).catch(error => {
      if (scenario.startsWith('auth/')) throw error
      console.error(`${call.name}: ${error.message}`) // the server may refuse made-up arguments
    })
  }

  function argumentsFor(name: string): Record<string, unknown> {
    const schemaOf = (wanted: string) => tools.find(tool => tool.name === wanted)?.inputSchema
    if (name === 'json_schema_echo') return { schema: schemaOf('json_schema_2020_12_tool') }
    return example(schemaOf(name)) as Record<string, unknown>
  }
}

async function useResources({ client, attempt }: Connection): Promise<void> {
  if (client.getServerCapabilities()?.resources === undefined) return
  const { resources } = await attempt(() => client.listResources())
  for (const { uri } of resources) await attempt(() => client.readResource({ uri }))
}

async function usePrompts({ client, attempt }: Connection): Promise<void> {
  if (client.getServerCapabilities()?.prompts === undefined) return
  const { prompts } = await attempt(() => client.listPrompts())
  for (const { name, arguments: wanted = [] } of prompts) {
    const given = Object.fromEntries(wanted.map(argument => [argument.name, 'example']))
    await attempt(() => client.getPrompt({ name, arguments: given }))
  }
}
