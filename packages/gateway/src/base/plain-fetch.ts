type Ask = (url: string | URL, init?: RequestInit) => Promise<Response>

/** Metadata, keys and tokens are a few kilobytes. */
const MOST_BYTES = 256 * 1024

/**
 * A fetch for the short answers of authorization servers, which comes back when all of one is there. Nothing is unpacked:
 * a kilobyte on the wire may come to a megabyte, and `fetch` would unpack it whether or not it was asked for.
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
    throw new Error(`${href(url)} answers with a compressed body, which nobody asked for`)
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
    // Leaving here hangs up.
    if (bytes > MOST_BYTES) throw new Error(`${from} answers with more than ${MOST_BYTES} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function href(url: string | URL): string {
  return new URL(url).href
}
