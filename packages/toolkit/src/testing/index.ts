export type { Question } from '../call/question.ts'
export type { FormAnswer, Progress } from '../call/wire.ts'
export { createTestClient, type TestClient, type TestClientOptions } from './test-client.ts'
export {
  HintsBroken,
  type State,
  type Verification,
  type VerifiedHints,
  type Violation,
  verifyHints,
} from './verify-hints.ts'
