import type { IncomingMessage, ServerResponse } from 'node:http'
import { HintgateError } from '../../base/errors.ts'
import type { SignInResponse } from '../../upstream/oauth/upstream-oauth.ts'

/** Completes a sign-in; returns the server's name. */
export type FinishSignIn = (comeback: SignInResponse) => Promise<string>

/**
 * Handles a browser that returns from an authorization server. The only credential is the `state` parameter: the
 * gateway sealed it for the person who began the sign-in, and it works only once.
 */
export async function handleSignInCallback(
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  finish: FinishSignIn,
): Promise<void> {
  if (req.method !== 'GET') return answer(res, 405, 'Use GET.')
  const query = new URL(req.url ?? '/', 'http://localhost').searchParams
  const [state, code, iss] = [query.get('state'), query.get('code'), query.get('iss')]
  if (state === null || code === null)
    return answer(res, 400, 'The sign-in was not completed. Start again with: hintgate servers login NAME')
  try {
    const server = await finish({ state, code, ...(iss === null ? {} : { iss }) })
    answer(res, 200, `Hintgate can now use ${server} on your behalf. You can close this window.`)
  } catch (error) {
    if (!(error instanceof HintgateError)) throw error
    answer(res, 400, `${error.message}. ${error.remedy}`)
  }
}

function answer(res: ServerResponse, status: number, text: string): void {
  res
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .end(`${text}\n`)
}
