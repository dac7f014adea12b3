type Ask = (url: string | URL, init?: RequestInit) => Promise<Response>

/** Maximum length of an answer. Metadata, keys and tokens take a few kilobytes. */
const MOST_BYTES = 256 * 1024

/**
 * Fetches a short answer from an authorization server and resolves when the whole body has arrived. Compressed answers
 * are rejected, because `fetch` unpacks them itself, and a kilobyte can unpack to a megabyte.
 */
export async function fetchPlain(
  url: string | URL,
  init: RequestInit = {},
  ask: Ask = fetch,
): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('accept-encoding', 'identity')
  const answer = await ask(url, { ...init, headers })
  if (isPacked(answer)) {
    await answer.body?.cancel()
    throw new Error(`${href(url)} sent a compressed body although none was requested`)
  }
  const body = await readShort(answer.body, href(url))
  return new Response(body.length === 0 ? null : body, answer)
}

function isPacked({ headers }: Response): boolean {
  return (headers.get('content-encoding') ?? 'identity').trim().toLowerCase() !== 'identity'
}

async function readShort(body: Response['body'], from: string): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.length
    // Throwing here closes the connection.
    if (bytes > MOST_BYTES) throw new Error(`${from} sent more than ${MOST_BYTES} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function href(url: string | URL): string {
  return new URL(url).href
}
