import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PEERS = fileURLToPath(new URL('../peers/', import.meta.url))

/** The path of a file of a third-party package that `npm test` installs in test/peers. */
export function peerFile(path: string): string {
  return existing(join(PEERS, 'node_modules', path))
}

/** The conformance fixture: node FIXTURE [--port N | --stdio] [--era both|legacy|modern]. */
export function fixtureFile(): string {
  return existing(join(PEERS, 'dist/fixture/main.js'))
}

/** A Node for packages that need version 22 or newer. */
export function modernNode(): string {
  return peerFile(`node-${process.platform}-${process.arch}/bin/node`)
}

function existing(path: string): string {
  if (existsSync(path)) return path
  throw new Error(
    `${path} is not there: the peers are not installed. \`npm test\` does it, or run: npm ci --prefix test/peers`,
  )
}
