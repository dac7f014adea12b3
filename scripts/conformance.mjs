// `npm run conformance`: runs the official MCP conformance suite against our fixture, directly and through the gateway.
import { makePeersReady } from '../test/peers/ready.mjs'
import { makeReady, ROOT, say } from './ready.mjs'

// `everything`: installing only the product would remove the developer's tools.
await makeReady('everything')
await makePeersReady()
process.chdir(ROOT)
// Imported late, because it needs the build.
const { main } = await import('../test/conformance/main.mjs')
process.exitCode = await main(process.argv.slice(2)).catch(error => {
  say(error.message)
  return 2
})
