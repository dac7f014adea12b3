import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { attempt } from '../base/attempt.ts'

/**
 * The folder with the console, which `packages/console` builds. A gateway without this folder works, but has no
 * console.
 */
const FOLDER = new URL('../console/', import.meta.url)

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "worker-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  vary: 'accept-encoding',
}

interface Asset {
  readonly body: Buffer
  readonly packed: Buffer
  readonly type: string
  readonly etag: string
}

const HOME = '/'
const ASSETS = '/assets/'
const ICON = '/favicon.svg'
/**
 * The service worker, which shows notifications while the console is closed. Its path determines which pages it
 * controls.
 */
const WORKER = '/service-worker.js'

/** True for the console's page and its assets. The view to show comes after the #, which browsers do not send. */
export function isConsolePath(path: string): boolean {
  return path === HOME || path.startsWith(ASSETS) || path === ICON || path === WORKER
}

/** Serves the console. It needs no sign-in, because it contains no data and requests its data from the API. */
export function serveConsole({ method, headers }: IncomingMessage, res: ServerResponse, path: string): void {
  const assets = loadAssets()
  const asset = assets.get(path)
  if (method !== 'GET' && method !== 'HEAD') return void res.writeHead(405, { allow: 'GET, HEAD' }).end()
  if (asset === undefined) return void res.writeHead(404, { ...HEADERS, 'content-type': 'text/plain' }).end()
  const { body, packed, type, etag } = asset
  // An asset can be cached forever, because its name changes with its content. The page's name stays the same.
  const caching = path.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache'
  const common = { ...HEADERS, etag, 'cache-control': caching }
  if (headers['if-none-match'] === etag) return void res.writeHead(304, common).end()
  const isPacked = /\bgzip\b/.test(headers['accept-encoding']?.toString() ?? '')
  const sent = isPacked ? packed : body
  res.writeHead(200, {
    ...common,
    'content-type': type,
    'content-length': sent.length,
    ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
  })
  res.end(method === 'HEAD' ? undefined : sent)
}

let loaded: ReadonlyMap<string, Asset> | undefined

/** Loads all files into memory. Requested paths are looked up there and never resolved on disk. */
function loadAssets(): ReadonlyMap<string, Asset> {
  loaded ??= new Map(listFiles().map(file => [file === 'index.html' ? HOME : `/${file}`, loadAsset(file)]))
  return loaded
}

function listFiles(): readonly string[] {
  const entries = attempt(() => readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })) ?? []
  return entries.map(name => name.replaceAll('\\', '/')).filter(name => Object.hasOwn(TYPES, extname(name)))
}

function loadAsset(file: string): Asset {
  const body = readFileSync(new URL(file, FOLDER))
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { body, packed: gzipSync(body), etag, type: TYPES[extname(file)] ?? 'application/octet-stream' }
}
