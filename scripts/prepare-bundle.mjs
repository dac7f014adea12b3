// `node scripts/prepare-bundle.mjs FOLDER`: runs the most common commands of a bundle, and stores the code that V8 has
// compiled, so that the next process need not compile it again.
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadBundle } from '../packages/gateway/bin/load-command.js'
import { ROOT } from './ready.mjs'

const place = mkdtempSync(join(tmpdir(), 'hintgate-bundle-'))
const config = join(place, 'hintgate.json')
const scripts = new Map()
const output = listen(process.stdout)
const messages = listen(process.stderr)

// `serve` ends the process after a signal.
process.once('exit', code => {
  rmSync(place, { recursive: true, force: true })
  // The entry was compiled first and is written last, because its presence means that the others exist.
  if (code === 0)
    for (const [file, script] of [...scripts].toReversed()) keep(file, script.createCachedData())
})
const { main } = loadBundle(process.argv[2], ({ source, file, script }) => {
  // In Node 20, `import()` fails in scripts with cached code.
  if (!/\bimport\(/.test(source)) scripts.set(file, script)
})
await rehearse((...args) => main(['node', 'hintgate', ...args, '--config', config, '--home', place]))

async function rehearse(hintgate) {
  const notes = { command: process.execPath, args: [join(ROOT, 'packages/gateway/demo/notes-server.mjs')] }
  writeFileSync(config, JSON.stringify({ mcpServers: { notes } }))
  await hintgate('tokens', 'create', 'rehearsal')
  const [token] = await output.until(/hg_agent_\S+/)
  await hintgate('tokens', 'list')
  void hintgate('serve', '--listen', '127.0.0.1:0')
  const [, url] = await output.until(/listening (\S+)/)
  await messages.until(/notes is ready/)
  await initialize(`${url}/mcp`, token)
  process.kill(process.pid, 'SIGTERM')
}

async function initialize(url, token) {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const clientInfo = { name: 'rehearsal', version: '0' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.text()
  if (!response.ok) throw new Error(`the gateway answered with HTTP ${response.status}`)
}

/** Captures the output of a stream, and waits for a pattern in it. */
function listen(stream) {
  let text = ''
  let onText = () => {}
  const write = stream.write.bind(stream)
  stream.write = chunk => {
    text += chunk
    onText()
    return write(chunk)
  }
  const until = pattern =>
    new Promise(resolve => {
      onText = () => {
        const found = pattern.exec(text)
        if (found) resolve(found)
      }
      onText()
    })
  return { until }
}

/** Written atomically, for processes that start in the meantime. */
function keep(file, data) {
  writeFileSync(`${file}.${process.pid}`, data)
  renameSync(`${file}.${process.pid}`, file)
}
