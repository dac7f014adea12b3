// Asks the gateway on this machine how it is; exit code 0 means well.  node deploy/probe.mjs [/healthz | /readyz]
// /readyz needs a credential: HINTGATE_PROBE_TOKEN. Where it does not listen on 4428: HINTGATE_PROBE_URL.
const { HINTGATE_PROBE_URL = 'http://127.0.0.1:4428', HINTGATE_PROBE_TOKEN: token } = process.env
const path = process.argv[2] ?? '/healthz'
const headers = path === '/healthz' || token === undefined ? {} : { authorization: `Bearer ${token}` }

try {
  const response = await fetch(new URL(path, HINTGATE_PROBE_URL), {
    headers,
    signal: AbortSignal.timeout(2500),
  })
  console.log(response.status, await response.text())
  process.exitCode = response.ok ? 0 : 1
} catch (error) {
  console.log(String(error.cause ?? error))
  process.exitCode = 1
}
