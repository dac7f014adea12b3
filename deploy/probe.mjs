// Checks the health of the gateway on this machine; exit code 0 means healthy.  node deploy/probe.mjs [/healthz | /readyz]
// /readyz needs a token in HINTGATE_PROBE_TOKEN. Set HINTGATE_PROBE_URL if the gateway does not listen on port 4428.
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
