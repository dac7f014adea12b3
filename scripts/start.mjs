// `npm start`: the gateway with two demo servers, and how to point a client at it.
import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { makeReady, ROOT } from './ready.mjs'

await makeReady('product')

const BIN = join(ROOT, 'packages/gateway/bin/hintgate.js')
const PLACE = ['--config', join(ROOT, 'examples/demo.json'), '--home', join(ROOT, 'data/demo')]

const child = spawn(process.execPath, [BIN, 'serve', ...PLACE, ...process.argv.slice(2)], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, HINTGATE_DEMO: '1' },
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', code => process.exit(code ?? 1))
createInterface({ input: child.stdout }).on('line', line => {
  const url = /^listening (\S+)$/.exec(line)?.[1]
  const link = /^console (\S+)$/.exec(line)?.[1]
  if (url !== undefined) welcome(url)
  else if (link !== undefined) inviteTo(link)
  else console.log(line)
})

function inviteTo(link) {
  console.log(`  Open the console, signed in; the link works once:

    ${link}

  Another one: npx hintgate console ${showPlace()}
`)
}

function welcome(url) {
  const token = mint()
  const snippet = {
    mcpServers: {
      hintgate: { type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer ${token}` } },
    },
  }
  const place = showPlace()
  console.log(`
  Hintgate is listening on ${url}

    find and call ${url}/mcp
    all tools     ${url}/mcp/direct
    one server    ${url}/mcp/servers/notes
    console       ${url}/ (see below)

  Paste this into your MCP client. The token is new with every start and may read, write and delete in the demo:

${JSON.stringify(snippet, null, 2).replaceAll(/^/gm, '    ')}

  Before anything is deleted, a person is asked. Answer in the console, or in another terminal:

    npx hintgate approvals watch ${place}
    npx hintgate approvals approve ID ${place}

  Ctrl-C stops it. Make more tokens with: npx hintgate tokens create NAME ${place}
`)
}

/** The flags with which commands find the demo, from the root of the repository. */
function showPlace() {
  return PLACE.map(part => part.replace(`${ROOT}/`, '')).join(' ')
}

/** A fresh token for the demo; the one of the last start stops working. */
function mint() {
  const run = (...args) =>
    JSON.parse(
      execFileSync(process.execPath, [BIN, 'tokens', ...args, '--json', ...PLACE], {
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    )
  try {
    return run('rotate', 'demo').token
  } catch {
    return run('create', 'demo', '--permissions', 'retrieve_tools,read,write,destructive', '--servers', '*')
      .token
  }
}
