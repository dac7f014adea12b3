// An agent without a model: it runs a script of calls, and prints how the agent kit handles each one.
//   node examples/scripted-agent.mjs [--yes] [--gateway URL --token TOKEN]
// Without a gateway, it starts the demo's notes server itself. With `--yes`, the simulated person approves every call.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { AgentError, connectAgent } from '@hintgate/agent'

const { values } = parseArgs({
  options: {
    yes: { type: 'boolean', default: false },
    gateway: { type: 'string' },
    token: { type: 'string', default: process.env.HINTGATE_TOKEN ?? '' },
  },
})

const notes = {
  command: process.execPath,
  args: [fileURLToPath(new URL('notes-server.mjs', import.meta.url))],
  // The server is our own, so its hints are trusted.
  trust: 'trusted',
}

const SCRIPT = [
  ['notes:search_notes', { query: '' }],
  ['notes:add_note', { title: 'Seen', text: 'by an agent' }],
  ['notes:delete_note', { id: '1' }],
  ['notes:search_notes', { query: '' }],
]

const say = line => console.log(line)

/** A real agent would show this to a person and wait. */
function confirm({ action, reasons }) {
  say(`? ${action}`)
  for (const { rule, text } of reasons) say(`    because ${text} [${rule}]`)
  say(`  the person says ${values.yes ? 'yes' : 'no'}`)
  return values.yes
}

const agent = await connectAgent({
  servers:
    values.gateway === undefined ? { notes } : { hub: { gateway: values.gateway, token: values.token } },
  confirm,
})

for (const { id, variant, trust, label } of await agent.tools()) say(`${id}: ${variant} (${trust}), ${label}`)
const unattended = await agent.autoRunnable()
say(`unattended: ${unattended.map(({ id }) => id).join(', ')}`)

for (const [tool, args] of SCRIPT) {
  try {
    const { content } = await agent.call(tool, args)
    say(`> ${tool} ${JSON.stringify(args)}\n  ${content.map(({ text }) => text).join('\n')}`)
  } catch (error) {
    if (!(error instanceof AgentError)) throw error
    say(`> ${tool} ${JSON.stringify(args)}\n  ${error.code}: ${error.message}`)
  }
}

await agent.close()
