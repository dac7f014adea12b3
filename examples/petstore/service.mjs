// An HTTP API without MCP, which petstore.yaml describes. The gateway makes a server of the two: see hintgate.json.
//   PETSTORE_KEY=secret-of-the-store node examples/petstore/service.mjs [PORT]
import { createServer } from 'node:http'

const [port = '4480'] = process.argv.slice(2)
const { PETSTORE_KEY: key = '' } = process.env
const PAGE = 10

const pets = new Map(
  Array.from({ length: 12 }, (_, at) => [
    String(at + 1),
    { name: `Pet ${at + 1}`, kind: at % 2 === 0 ? 'cat' : 'dog' },
  ]),
)
const photos = new Map()
let nextId = pets.size + 1

const show = id => ({ id, ...pets.get(id) })
const found = id => (pets.has(id) ? { status: 200, json: show(id) } : missing(id))
const missing = id => ({ status: 404, json: { error: { message: `there is no pet ${id}` } } })

function listPets(_path, { url }) {
  const page = Number(url.searchParams.get('page') ?? 1)
  const kind = url.searchParams.get('kind')
  const all = [...pets.keys()].map(show).filter(pet => kind === null || pet.kind === kind)
  const next = new URL(url)
  next.searchParams.set('page', String(page + 1))
  const link = page * PAGE < all.length ? { link: `<${next.pathname}${next.search}>; rel="next"` } : {}
  return { status: 200, json: all.slice((page - 1) * PAGE, page * PAGE), headers: link }
}

function addPet(_path, { body }) {
  const id = String(nextId++)
  pets.set(id, JSON.parse(body))
  return { status: 201, json: show(id) }
}

const ROUTES = [
  [/^GET \/pets$/, listPets],
  [/^POST \/pets$/, addPet],
  [/^GET \/pets\/([^/]+)$/, ([, id]) => found(id)],
  [
    /^PUT \/pets\/([^/]+)$/,
    ([, id], { body }) => {
      if (pets.has(id)) pets.set(id, JSON.parse(body))
      return found(id)
    },
  ],
  [/^DELETE \/pets\/([^/]+)$/, ([, id]) => (pets.delete(id) ? { status: 204 } : missing(id))],
  [
    /^POST \/pets\/([^/]+)\/photo$/,
    ([, id], { body }) => {
      // The bytes of the first part of the form, which is the photo.
      const photo = body.subarray(body.indexOf('\r\n\r\n') + 4, body.indexOf('\r\n--', 10))
      photos.set(id, photo)
      return { status: 201, json: { bytes: photo.length } }
    },
  ],
  [
    /^GET \/pets\/([^/]+)\/photo$/,
    ([, id]) => (photos.has(id) ? { status: 200, png: photos.get(id) } : missing(id)),
  ],
]

function answer(request, body) {
  if (request.headers['x-api-key'] !== key)
    return { status: 401, json: { error: { message: 'unknown key' } } }
  const url = new URL(request.url, 'http://petstore')
  for (const [pattern, route] of ROUTES) {
    const path = pattern.exec(`${request.method} ${url.pathname}`)?.map(decodeURIComponent)
    if (path !== undefined) return route(path, { url, body })
  }
  return { status: 404, json: { error: { message: 'not found' } } }
}

const server = createServer(async (request, response) => {
  const { status, json, png, headers } = answer(request, Buffer.concat(await request.toArray()))
  const type = png === undefined ? 'application/json' : 'image/png'
  response.writeHead(
    status,
    json === undefined && png === undefined ? headers : { 'content-type': type, ...headers },
  )
  response.end(png ?? (json === undefined ? undefined : JSON.stringify(json)))
})

server.listen(Number(port), '127.0.0.1', () => {
  console.log(`listening http://127.0.0.1:${server.address().port}`)
})
