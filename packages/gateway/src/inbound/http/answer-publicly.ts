import type { AdminDoor } from '../../admin/admin-door.ts'
import type { Visit } from '../../admin/http/handler.ts'
import { serveConsole } from '../../admin/serve-console.ts'
import type { Config } from '../../config/config.ts'
import { sendJson } from '../../http/answer.ts'
import { CHALLENGE, PROOF } from '../../replicas/stamps.ts'
import { describeResource } from '../../tokens/oauth/resource-metadata.ts'
import { type FinishSignIn, handleSignInCallback } from './sign-in-callback.ts'

export interface PublicRouteDeps {
  /** The current OAuth config. Undefined if no issuer is configured; there is then no metadata to serve. */
  readonly oauth: () => Config['oauth']
  readonly finishSignIn: FinishSignIn
  readonly answers: AnswerTaker
  readonly admin: AdminDoor
  /** Answers another replica's challenge with a proof of this replica's identity. */
  readonly prove: (challenge: string) => string | undefined
}

interface PublicVisit extends Visit {
  readonly path: string
}

/** Receives people's answers to pending approvals. */
export interface AnswerTaker {
  receive(visit: PublicVisit): Promise<void>
}

export type PublicRoute = (visit: PublicVisit, deps: PublicRouteDeps) => void | Promise<void>

/**
 * Shows that the gateway is running, and nothing else. Only a process that knows the shared key learns which replica
 * answered.
 */
export const answerHealth: PublicRoute = ({ req, res }, { prove }) => {
  const challenge = req.headers[CHALLENGE]
  const proof = typeof challenge === 'string' ? prove(challenge) : undefined
  sendJson(res, 200, '{"status":"ok"}', proof === undefined ? {} : { [PROOF]: proof })
}

/** Completes the sign-in at a server's OAuth provider. The sealed state in the request is a single-use credential. */
export const endSignIn: PublicRoute = (visit, { finishSignIn }) => handleSignInCallback(visit, finishSignIn)

/**
 * Receives a person's answer to an approval. A sealed link, or the chat service's signature, takes the place of a
 * token.
 */
export const takeAnswer: PublicRoute = (visit, { answers }) => answers.receive(visit)

/** Serves the metadata that RFC 9728 defines, which tell a client without a token where to get one. */
export const answerResourceMetadata: PublicRoute = ({ res, path }, { oauth }) => {
  const known = oauth()
  if (known !== undefined) sendJson(res, 200, JSON.stringify(describeResource(path, known)))
}

/** Signs a person in to the console through a configured OpenID Connect issuer. */
export const signInByOidc: PublicRoute = ({ req, res }, { admin }) => admin.signInByOidc(req, res)

/** Exchanges the code in the body, which `hintgate console` printed, for a console session. */
export const signIn: PublicRoute = (visit, { admin }) => admin.signIn(visit)

/** Serves the console's page. The page contains no data; it gets everything that it shows from the admin API. */
export const showConsole: PublicRoute = ({ req, res, path }) => serveConsole(req, res, path)
