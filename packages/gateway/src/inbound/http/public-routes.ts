import { isConsolePath } from '../../admin/serve-console.ts'
import { isOidcPath } from '../../admin/sign-in/identify.ts'
import { isMetadataPath } from '../../tokens/oauth/resource-metadata.ts'
import { CALLBACK_PATH } from '../../upstream/oauth/upstream-oauth.ts'
import {
  answerHealth,
  answerResourceMetadata,
  endSignIn,
  type PublicRoute,
  type PublicRouteDeps,
  showConsole,
  signIn,
  signInByOidc,
  takeAnswer,
} from './answer-publicly.ts'

const HEALTH = '/healthz'
const SIGN_IN = '/api/v1/sign-in'
const ANSWERS = ['/notify/answer/', '/notify/slack/']

/**
 * Finds the route of a request that needs no credential; all other requests need one. Only paths are compared, because
 * every tool call passes through here.
 */
export function findPublicRoute(
  path: string,
  { oauth }: Pick<PublicRouteDeps, 'oauth'>,
): PublicRoute | undefined {
  if (path === HEALTH) return answerHealth
  if (path === CALLBACK_PATH) return endSignIn
  if (isMetadataPath(path) && oauth() !== undefined) return answerResourceMetadata
  if (isOidcPath(path)) return signInByOidc
  if (path === SIGN_IN) return signIn
  if (ANSWERS.some(start => path.startsWith(start))) return takeAnswer
  if (isConsolePath(path)) return showConsole
  return undefined
}
