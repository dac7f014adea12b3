// Finds the files that one `tools/call` of a modern client passes through, from `/mcp` to a server over HTTP. The gateway runs
// unbundled, and V8 records the functions that run during one call.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../ready.mjs'

const DIST = pathToFileURL(join(ROOT, 'packages/gateway/dist/')).href
const BENCH = join(ROOT, 'bench/dist/performance')
const WARM_UP = 20
/** Timers can run during a call: only what runs in each of these calls belongs to its path. */
const OBSERVED = 4

/** The functions that ran, by file relative to the gateway's sources: `{ 'call/handle-call.ts': ['handleCall', …], … }`. */
export async function observeCall() {
  const folder = mkdtempSync(join(tmpdir(), 'hintgate-path-'))
  const stops = []
  try {
    const upstream = await start([join(BENCH, 'upstream-http.js')], {}, stops)
    const [, url] = await upstream.until(/listening (\S+)/)
    const config = join(folder, 'hintgate.json')
    writeFileSync(config, JSON.stringify({ mcpServers: { bench: { url, trust: 'trusted' } } }))
    const place = ['--config', config, '--home', folder]
    const command = [join(BENCH, 'plain-command.js')]
    const minted = execFileSync(
      process.execPath,
      [...command, 'tokens', 'create', 'path', '--permissions', 'read', '--servers', '*', '--json', ...place],
      { encoding: 'utf8' },
    )
    const report = join(folder, 'calls.json')
    const watch = pathToFileURL(join(ROOT, 'scripts/figures/watch-calls.mjs')).href
    const args = ['--import', watch, ...command, 'serve', ...place, '--listen', '127.0.0.1:0']
    const gateway = await start(args, { HINTGATE_CALLS: report }, stops)
    const [, address] = await gateway.until(/listening (http:\/\/\S+?)(?=\s|$)/)
    const call = createCaller(new URL('/mcp', address), JSON.parse(minted).token)
    for (let number = 0; number < WARM_UP; number += 1) await call(number)
    const observed = []
    for (let number = 0; number < OBSERVED; number += 1) {
      gateway.process.kill('SIGUSR2')
      await gateway.until(/watching/)
      await call(WARM_UP + number)
      gateway.process.kill('SIGUSR2')
      await gateway.until(/reported/)
      observed.push(JSON.parse(readFileSync(report, 'utf8')))
    }
    return byFile(inAllOf(observed))
  } finally {
    await Promise.all(stops.map(stop => stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}

async function start(args, env, stops) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  stops.push(async () => {
    child.kill()
    await ended
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const until = async pattern => {
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      const found = pattern.exec(next.value)
      if (found !== null) return found
    }
    throw new Error(`the process ended before it printed ${pattern}`)
  }
  return { process: child, until }
}

function createCaller(url, token) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'path', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'call_tool_read',
  }
  return async id => {
    const params = {
      name: 'call_tool_read',
      arguments: { name: 'bench:read_record_0', args: { kb: 1, nonce: String(id) } },
      _meta: meta,
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
    const response = await fetch(url, { method: 'POST', headers, body })
    const answer = await response.text()
    if (!answer.includes('"result"') || answer.includes('"isError":true'))
      throw new Error(`the call failed: ${answer.slice(0, 400)}`)
  }
}

function inAllOf([first, ...others]) {
  const names = others.map(ran => new Set(ran.map(({ url, name }) => `${url} ${name}`)))
  return first.filter(({ url, name }) => names.every(ran => ran.has(`${url} ${name}`)))
}

function byFile(ran) {
  const files = {}
  for (const { url, name } of ran) {
    const file = url.slice(DIST.length).replace(/\.js$/, '.ts').replaceAll(sep, '/')
    files[file] = [...(files[file] ?? []), name]
  }
  return files
}
