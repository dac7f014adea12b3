// The HTTP service that the bridge calls: a lending library in memory, without MCP.
//   LIBRARY_TOKEN=secret node examples/openapi-bridge/service.mjs [PORT]
import { createServer } from 'node:http'

const [port = '4480'] = process.argv.slice(2)
const { LIBRARY_TOKEN: token = '' } = process.env

const books = new Map([
  ['1', { title: 'Middlemarch', author: 'George Eliot', year: 1871, isLent: true }],
  ['2', { title: 'The Left Hand of Darkness', author: 'Ursula K. Le Guin', year: 1969, isLent: false }],
])
let nextId = 3

const show = id => ({ id, ...books.get(id) })
const found = id => (books.has(id) ? [200, show(id)] : [404, { error: `unknown book ${id}` }])

/** Maps a method and path to a status and body. */
const ROUTES = [
  [
    /^GET \/books$/,
    (_path, { query }) => [
      200,
      [...books.keys()].map(show).filter(({ isLent }) => !(query.get('available') === 'true' && isLent)),
    ],
  ],
  [
    /^POST \/books$/,
    (_path, { body }) => {
      const id = String(nextId++)
      books.set(id, { ...body, isLent: false })
      return [201, show(id)]
    },
  ],
  [
    /^POST \/books\/search$/,
    (_path, { body }) => [
      200,
      [...books.keys()]
        .map(show)
        .filter(({ title, author }) =>
          body.words.every(word => `${title} ${author}`.toLowerCase().includes(word.toLowerCase())),
        ),
    ],
  ],
  [/^GET \/books\/([^/]+)$/, ([, id]) => found(id)],
  [
    /^PUT \/books\/([^/]+)$/,
    ([, id], { body }) => {
      if (books.has(id)) books.set(id, { ...body, isLent: books.get(id).isLent })
      return found(id)
    },
  ],
  [/^DELETE \/books\/([^/]+)$/, ([, id]) => [books.delete(id) ? 204 : 404]],
  [/^POST \/books\/([^/]+)\/reminders$/, ([, id]) => [books.get(id)?.isLent ? 202 : 409]],
]

function answer(method, url, body) {
  const { pathname, searchParams: query } = new URL(url, 'http://library')
  for (const [pattern, route] of ROUTES) {
    const path = pattern.exec(`${method} ${pathname}`)?.map(decodeURIComponent)
    if (path !== undefined) return route(path, { query, body })
  }
  return [404, { error: 'not found' }]
}

const server = createServer(async (request, response) => {
  const chunks = await request.toArray()
  const text = Buffer.concat(chunks).toString()
  const [status, body] =
    request.headers.authorization === `Bearer ${token}`
      ? answer(request.method, request.url, text === '' ? undefined : JSON.parse(text))
      : [401, { error: 'unauthorized' }]
  response.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' })
  response.end(body === undefined ? undefined : JSON.stringify(body))
})

server.listen(Number(port), '127.0.0.1', () => {
  console.log(`listening http://127.0.0.1:${server.address().port}`)
})
