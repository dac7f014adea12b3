// `npm run conformance`: the official MCP conformance suite, directly against our fixture and through the gateway.
import { makePeersReady } from '../test/peers/ready.mjs'
import { makeReady, ROOT, say } from './ready.mjs'

// Everything: installing only what the product needs would take the developer's tools away again.
await makeReady('everything')
await makePeersReady()
process.chdir(ROOT)
// Imported late: it stands on what has just been built.
const { main } = await import('../test/conformance/main.mjs')
process.exitCode = await main(process.argv.slice(2)).catch(error => {
  say(error.message)
  return 2
})
