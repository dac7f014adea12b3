import { tokensAndEras } from './0001-tokens-and-eras.ts'
import { results } from './0002-results.ts'
import { definitions } from './0003-definitions.ts'
import { approvalsAndSessions } from './0004-approvals-and-sessions.ts'
import { audit } from './0005-audit.ts'
import { overrideHistory } from './0006-override-history.ts'
import { secrets } from './0007-secrets.ts'
import { auditChunks } from './0008-audit-chunks.ts'
import { resultRuns } from './0009-result-runs.ts'
import { openQuestions } from './0010-open-questions.ts'
import { shapes } from './0011-shapes.ts'
import type { Migration } from './migration.ts'

/** In order, without gaps. */
export const MIGRATIONS: readonly Migration[] = [
  tokensAndEras,
  results,
  definitions,
  approvalsAndSessions,
  audit,
  overrideHistory,
  secrets,
  auditChunks,
  resultRuns,
  openQuestions,
  shapes,
]
