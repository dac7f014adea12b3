// An MCP server generated from an OpenAPI document: one tool for each operation of an existing service. The hints come
// from the HTTP method, and `x-hintgate` in the document adds what the method cannot express.
//   LIBRARY_TOKEN=secret node examples/openapi-bridge/server.mjs [URL of the service] [--port 3000]
import { readFileSync } from 'node:fs'
import { Toolkit } from '@hintgate/toolkit'
import * as z from 'zod'

const document = JSON.parse(readFileSync(new URL('openapi.json', import.meta.url), 'utf8'))
const [first, ...rest] = process.argv.slice(2)
const isUrl = first?.startsWith('http') ?? false

const toolkit = new Toolkit({
  name: 'library',
  title: 'Lending library',
  version: document.info.version,
  env: { LIBRARY_TOKEN: z.string().min(1) },
}).fromOpenAPI(document, {
  ...(isUrl ? { baseUrl: first } : {}),
  headers: ctx => ({ authorization: `Bearer ${ctx.env.LIBRARY_TOKEN}` }),
})

await toolkit.serve({ args: isUrl ? rest : process.argv.slice(2) })
