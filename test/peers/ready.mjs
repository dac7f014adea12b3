// The test peers, made ready: installed from their own lockfile, our own ones compiled. No dependencies.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeReadyFolder, ROOT, run } from '../../scripts/ready.mjs'

export const PEERS = join(ROOT, 'test/peers')

/** Our own peers, to be started with the running Node. */
export const FIXTURE = join(PEERS, 'dist/fixture/main.js')
export const CLIENT = join(PEERS, 'dist/client/main.js')
export const SDK_PROXY = join(PEERS, 'dist/sdk-proxy/main.js')

export async function makePeersReady() {
  await makeReadyFolder('test/peers')
  await run('tsc', ['--build', 'test/peers'], 'test/peers does not compile: the errors above say where')
}

/** The path of a package's file below test/peers. */
export function peerFile(path) {
  return join(PEERS, 'node_modules', path)
}

/**
 * A Node that runs what needs 22 or newer (the conformance suite, the inspector): Node 24 from the registry where
 * there is a package for the platform, else the running one if it is new enough, else nothing.
 */
export function findModernNode() {
  const fromRegistry = peerFile(`node-${process.platform}-${process.arch}/bin/node`)
  if (existsSync(fromRegistry)) return fromRegistry
  const [major = 0] = process.versions.node.split('.').map(Number)
  return major >= 22 ? process.execPath : undefined
}
