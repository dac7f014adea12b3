import type { AdminDoor } from '../../admin/admin-door.ts'
import type { Visit } from '../../admin/http/handler.ts'
import { serveConsole } from '../../admin/serve-console.ts'
import type { Config } from '../../config/config.ts'
import { sendJson } from '../../http/answer.ts'
import { CHALLENGE, PROOF } from '../../replicas/stamps.ts'
import { describeResource } from '../../tokens/oauth/resource-metadata.ts'
import { type FinishSignIn, handleSignInCallback } from './sign-in-callback.ts'

export interface PublicRouteDeps {
  /** The current config. Undefined: no metadata exists. */
  readonly oauth: () => Config['oauth']
  readonly finishSignIn: FinishSignIn
  readonly answers: AnswerTaker
  readonly admin: AdminDoor
  /** Proves to another replica which one this is. */
  readonly prove: (challenge: string) => string | undefined
}

interface PublicVisit extends Visit {
  readonly path: string
}

/** Takes the answers of people to calls that wait. */
export interface AnswerTaker {
  receive(visit: PublicVisit): Promise<void>
}

export type PublicRoute = (visit: PublicVisit, deps: PublicRouteDeps) => void | Promise<void>

/** Shows that the gateway is up and reveals nothing else; only holders of the key learn which replica it is. */
export const answerHealth: PublicRoute = ({ req, res }, { prove }) => {
  const challenge = req.headers[CHALLENGE]
  const proof = typeof challenge === 'string' ? prove(challenge) : undefined
  sendJson(res, 200, '{"status":"ok"}', proof === undefined ? {} : { [PROOF]: proof })
}

/** The request carries a sealed state, which is a credential that works once. */
export const endSignIn: PublicRoute = (visit, { finishSignIn }) => handleSignInCallback(visit, finishSignIn)

/** A sealed link or the signature of a chat takes the place of a token. */
export const takeAnswer: PublicRoute = (visit, { answers }) => answers.receive(visit)

/** RFC 9728: a client without a token must learn where to get one. */
export const answerResourceMetadata: PublicRoute = ({ res, path }, { oauth }) => {
  const known = oauth()
  if (known !== undefined) sendJson(res, 200, JSON.stringify(describeResource(path, known)))
}

/** An issuer from the config identifies the user. */
export const signInByOidc: PublicRoute = ({ req, res }, { admin }) => admin.signInByOidc(req, res)

/** The body has the code that `hintgate console` printed; it is exchanged for a session. */
export const signIn: PublicRoute = (visit, { admin }) => admin.signIn(visit)

/** A page without data: it asks the admin API for everything that it shows. */
export const showConsole: PublicRoute = ({ req, res, path }) => serveConsole(req, res, path)
