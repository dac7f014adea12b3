import type { AdminDoor } from '../../admin/admin-door.ts'
import type { Visit } from '../../admin/http/handler.ts'
import { isConsolePath, serveConsole } from '../../admin/serve-console.ts'
import { isOidcPath } from '../../admin/sign-in/identify.ts'
import type { Config } from '../../config/config.ts'
import { sendJson } from '../../http/answer.ts'
import { CHALLENGE, PROOF } from '../../replicas/stamps.ts'
import { describeResource, isMetadataPath } from '../../tokens/oauth/resource-metadata.ts'
import { CALLBACK_PATH } from '../../upstream/oauth/upstream-oauth.ts'
import { type FinishSignIn, handleSignInCallback } from './sign-in-callback.ts'

export interface BehindOpenDoors {
  /** As the config has it now. Undefined: there is nothing to tell about it. */
  readonly oauth: () => Config['oauth']
  readonly finishSignIn: FinishSignIn
  readonly admin: AdminDoor
  /** Shows another replica which one this is. */
  readonly prove: (challenge: string) => string | undefined
}

interface OpenVisit extends Visit {
  readonly path: string
}

type OpenDoor = (visit: OpenVisit, behind: BehindOpenDoors) => void | Promise<void>

const HEALTH = '/healthz'
const SIGN_IN = '/api/v1/sign-in'

/**
 * All that is answered without a credential; nothing else is. Every request for a tool comes by here, so this compares
 * paths and does nothing more.
 */
export function findOpenDoor(path: string, { oauth }: Pick<BehindOpenDoors, 'oauth'>): OpenDoor | undefined {
  if (path === HEALTH) return sayAlive
  if (path === CALLBACK_PATH) return endSignIn
  if (isMetadataPath(path) && oauth() !== undefined) return tellIssuers
  if (isOidcPath(path)) return signInByOidc
  if (path === SIGN_IN) return signIn
  if (isConsolePath(path)) return showConsole
  return undefined
}

/** That somebody listens here says nothing about anybody; which replica it is only those with the key understand. */
const sayAlive: OpenDoor = ({ req, res }, { prove }) => {
  const challenge = req.headers[CHALLENGE]
  const proof = typeof challenge === 'string' ? prove(challenge) : undefined
  sendJson(res, 200, '{"status":"ok"}', proof === undefined ? {} : { [PROOF]: proof })
}

/** A sealed state comes along, which is a credential that works once. */
const endSignIn: OpenDoor = (visit, { finishSignIn }) => handleSignInCallback(visit, finishSignIn)

/** RFC 9728: who has no token yet has to know where to get one. */
const tellIssuers: OpenDoor = ({ res, path }, { oauth }) => {
  const known = oauth()
  if (known !== undefined) sendJson(res, 200, JSON.stringify(describeResource(path, known)))
}

/** An issuer of the config says who it is. */
const signInByOidc: OpenDoor = ({ req, res }, { admin }) => admin.signInByOidc(req, res)

/** The code of `hintgate console` comes in the body, and is exchanged for a session. */
const signIn: OpenDoor = (visit, { admin }) => admin.signIn(visit)

/** A page without data; what it shows it has to ask for. */
const showConsole: OpenDoor = ({ req, res, path }) => serveConsole(req, res, path)
