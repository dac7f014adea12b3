// A real Chromium from the npm registry, for the browser tests and scripts/screenshots.mjs. It is unpacked once into
// the temporary folder, without a download and without root.
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PEERS = new URL('../peers/node_modules/', import.meta.url)
const LOCK = join(tmpdir(), 'hintgate-chromium.lock')
const ABANDONED_MS = 60_000

/** Not the flags that the package recommends, because they disable the same-origin policy, which the tests check. */
const FLAGS = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--font-render-hinting=none',
  '--hide-scrollbars',
]

/** A browser of playwright-core. */
export async function launchChromium() {
  const { default: packed } = await import(new URL('@sparticuz/chromium/build/esm/index.js', PEERS).href)
  const { chromium } = await import(new URL('playwright-core/index.mjs', PEERS).href)
  packed.setGraphicsMode = false
  const executablePath = await withLock(() => packed.executablePath())
  const env = { ...process.env, FONTCONFIG_FILE: writeFontConfig() }
  return chromium.launch({ executablePath, args: FLAGS, headless: true, env })
}

/** The package includes a readable font, but makes it available only on the platform that it is built for. */
function writeFontConfig() {
  const file = join(tmpdir(), `hintgate-fonts-${process.pid}.conf`)
  const folders = [join(tmpdir(), 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts']
  const dirs = folders.map(folder => `<dir>${folder}</dir>`).join('')
  writeFileSync(
    file,
    `<?xml version="1.0"?><fontconfig>${dirs}<cachedir>${tmpdir()}/fonts-cache</cachedir></fontconfig>`,
  )
  process.once('exit', () => rmSync(file, { force: true }))
  return file
}

/** Two processes that unpack at the same time would each start an incomplete browser. */
async function withLock(work) {
  while (!takeLock()) await new Promise(resolve => setTimeout(resolve, 200))
  try {
    return await work()
  } finally {
    rmSync(LOCK, { recursive: true, force: true })
  }
}

function takeLock() {
  try {
    mkdirSync(LOCK)
    return true
  } catch {
    const since = statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - since > ABANDONED_MS) rmSync(LOCK, { recursive: true, force: true })
    return false
  }
}
