// Simulates a day at Acme for the screenshots: calls that are answered, need approval or are refused, and a server that
// changes its tools.
import { writeFileSync } from 'node:fs'

const VERSION = '2026-07-28'
const META = 'io.modelcontextprotocol/'

/** One call of an agent at the search surface. */
async function call({ url, token }, { tool, args, variant, session, reason }) {
  const meta = {
    [`${META}protocolVersion`]: VERSION,
    [`${META}clientCapabilities`]: {},
    [`${META}clientInfo`]: { name: 'story', version: '1' },
    ...(session === undefined ? {} : { 'io.hintgate/session': session }),
  }
  const name = `call_tool_${variant}`
  const given = {
    name: tool,
    args,
    ...(reason === undefined ? {} : { intent: { operation_type: variant, reason } }),
  }
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: given, _meta: meta },
    }),
  })
  return response.text()
}

/** [agent, tool, variant, arguments, session]: the calls of an ordinary hour. */
const HOUR = [
  ['support-agent', 'crm:search_contacts', 'read', { query: 'Lovelace' }, 'support-1'],
  ['support-agent', 'crm:get_contact', 'read', { id: 'c-1043' }, 'support-1'],
  ['support-agent', 'mail:list_threads', 'read', { folder: 'inbox' }, 'support-1'],
  ['claude-desktop', 'files:read_file', 'read', { path: 'docs/plan.md' }, 'desk'],
  ['claude-desktop', 'files:search_files', 'read', { query: 'invoice' }, 'desk'],
  ['claude-desktop', 'files:write_file', 'write', { path: 'notes/today.md', text: 'Standup at ten' }, 'desk'],
  ['release-bot', 'github:list_issues', 'read', { repo: 'acme/shop' }, 'release'],
  ['release-bot', 'github:get_pull_request', 'read', { repo: 'acme/shop', number: 812 }, 'release'],
  [
    'release-bot',
    'github:create_issue',
    'write',
    { repo: 'acme/shop', title: 'Flaky checkout test' },
    'release',
  ],
  ['support-agent', 'crm:update_contact', 'write', { id: 'c-1043', fields: { city: 'Turin' } }, 'support-1'],
  ['reporting-bot', 'files:list_directory', 'read', { path: 'reports' }, 'reports'],
  ['reporting-bot', 'crm:export_contacts', 'write', { to: 'list@acme.example' }, 'reports'],
  ['release-bot', 'github:create_issue', 'write', { repo: 'acme/wiki', title: 'Typo' }, 'release'],
  [
    'support-agent',
    'mail:send_email',
    'write',
    { to: 'ada@rival.example', subject: 'Hi', body: 'Hello' },
    'support-2',
  ],
  ['claude-desktop', 'files:move_file', 'write', { source: 'draft.md', target: 'plan.md' }, 'desk'],
]

/** The number of calls in each of the last 24 hours. */
const DAY = [4, 2, 2, 1, 0, 3, 5, 9, 17, 27, 31, 28, 19, 25, 32, 29, 24, 20, 13, 9, 11, 15, 18, 12]
const HOUR_MS = 3_600_000

export const AGENTS = {
  'support-agent': ['retrieve_tools,read,write,destructive', 'crm,mail,web,calendar'],
  'claude-desktop': ['retrieve_tools,read,write,destructive', '*'],
  'release-bot': ['retrieve_tools,read,write,destructive', 'github,files'],
  'reporting-bot': ['retrieve_tools,read,write', 'files,crm'],
}

export async function tellDay(gateway, url, tokens) {
  const as = (agent, rest) => call({ url, token: tokens[agent] }, rest)
  for (const [hour, count] of DAY.entries()) {
    for (let turn = 0; turn < count; turn++) {
      gateway.setClock((hour - DAY.length + turn / count) * HOUR_MS)
      await new Promise(resolve => setTimeout(resolve, 8))
      const [agent, tool, variant, args, session] = HOUR[(hour * 5 + turn) % HOUR.length]
      await as(agent, { tool, variant, args, session })
    }
  }
  gateway.setClock(0)
  await new Promise(resolve => setTimeout(resolve, 20))
  await tellTrifecta(as, 'inbox-triage')
  await tellTrifecta(as, 'vendor-mails')
  await sendAfterAll(gateway, as)
  await tellQuestions(as)
}

/** A session that reads private data and untrusted content. */
async function tellTrifecta(as, session) {
  await as('support-agent', { tool: 'crm:get_contact', variant: 'read', args: { id: 'c-2210' }, session })
  await as('support-agent', {
    tool: 'web:fetch_page',
    variant: 'read',
    args: { url: 'https://forum.example/thread/9' },
    session,
  })
}

/** A person approves the call, and the session then has all three risk factors. */
async function sendAfterAll(gateway, as) {
  const args = { to: 'vendors@acme.example', subject: 'New terms', body: 'See the forum.' }
  const sending = { tool: 'mail:send_email', variant: 'write', args, session: 'vendor-mails' }
  const [, id] = /approvals approve ([\w-]+)/.exec(await as('support-agent', sending)) ?? []
  gateway.run('approvals', 'approve', id, '--note', 'Checked the text')
  await as('support-agent', sending)
}

async function tellQuestions(as) {
  const send = {
    to: 'accounts@acme.example',
    subject: 'Refund for order 5521',
    body: 'Please refund 42.00 EUR to Ada Lovelace.',
  }
  const reason = 'The customer asked for a refund'
  await as('support-agent', {
    tool: 'mail:send_email',
    variant: 'write',
    args: send,
    session: 'inbox-triage',
    reason,
  })
  await as('release-bot', {
    tool: 'github:merge_pull_request',
    variant: 'write',
    args: { repo: 'acme/shop', number: 812 },
    session: 'release',
  })
  await as('release-bot', {
    tool: 'github:delete_branch',
    variant: 'destructive',
    args: { repo: 'acme/shop', branch: 'fix/checkout-flake' },
    session: 'release',
  })
  await as('claude-desktop', {
    tool: 'files:delete_file',
    variant: 'destructive',
    args: { path: 'archive/2024/q3-draft.md' },
    session: 'desk',
  })
}

/** A tool changes its definition. */
export function turnCalendar(gateway) {
  writeFileSync(gateway.versionFile('calendar'), '1')
}
