// The suite's scenarios of the Tasks extension, against a server with tasks of its own: directly and through Hintgate.
import { fileURLToPath } from 'node:url'
import { startGateway } from '../../bench/dist/performance/start-gateway.js'
import { startProcess } from '../../bench/dist/performance/start-process.js'
import { compareServer } from './compare.mjs'
import { startReverseProxy } from './reverse-proxy.mjs'
import { runScenarios } from './run-suite.mjs'

const REVISION = '2026-07-28'
const EXTENSION = /^tasks-/
/** The minimum that the server must reach directly; with less, the comparison would prove too little. */
const FLOOR = 44

/** Returns the counts of the direct run, and the comparison with those through the gateway. */
export async function testTasks(only = EXTENSION) {
  const server = await startProcess({
    name: 'the server with tasks',
    command: process.execPath,
    args: [fileURLToPath(new URL('../servers/tasks.mjs', import.meta.url))],
    ready: /listening (http:\/\/\S+)/,
  })
  try {
    const gateway = await startGateway({ mcpServers: { tasks: { url: server.url, trust: 'trusted' } } })
    try {
      // At the same time, because the scenarios mostly wait.
      const runs = [runScenarios(server.url, REVISION, only), runBehind(gateway, only)]
      const [direct, through] = await Promise.all(runs)
      return { direct, rows: compareServer(direct, through, 'http'), complaints: checkTasks(direct, only) }
    } finally {
      await gateway.stop()
    }
  } finally {
    await server.stop()
  }
}

async function runBehind({ url, token }, only) {
  const proxy = await startReverseProxy(url, {
    headers: { authorization: `Bearer ${token}` },
    pathOf: () => '/mcp/servers/tasks',
  })
  try {
    return await runScenarios(proxy.url, REVISION, only)
  } finally {
    await proxy.stop()
  }
}

function checkTasks(direct, only) {
  if (only !== EXTENSION) return []
  const passed = direct.reduce((sum, row) => sum + row.passed, 0)
  return passed >= FLOOR ? [] : [`tasks: the server itself passes ${passed} checks, below ${FLOOR}`]
}
