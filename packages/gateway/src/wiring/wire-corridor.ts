import { randomBytes } from 'node:crypto'
import type { SessionRiskFactors } from '@hintgate/metadata'
import type { LongWork } from '../admission/long-work.ts'
import { Turns } from '../admission/turns.ts'
import { createApprovals } from '../approvals/approvals.ts'
import { recordGrant } from '../approvals/record-grant.ts'
import { Sealer } from '../approvals/seal.ts'
import { AuditRecorder } from '../audit/audit-recorder.ts'
import { createName } from '../base/create-name.ts'
import { markProcess } from '../base/process-mark.ts'
import { TextSealer } from '../base/text-sealer.ts'
import type { CallDeps } from '../call/call-deps.ts'
import type { Watched } from '../call/steps.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Config } from '../config/config.ts'
import { maskSecrets } from '../detect/secrets/mask-secrets.ts'
import type { Rules } from '../policy/rules.ts'
import { PassageMemory } from '../provenance/passage-memory.ts'
import { TokenHasher } from '../provenance/token-hashes.ts'
import { ResultKeeper } from '../results/kept/keep-results.ts'
import { Searcher } from '../results/searcher.ts'
import { SessionMemory, type SessionName } from '../sessions/session-memory.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import type { Store } from '../store/store.ts'
import type { TaskDeps } from '../tasks/task-deps.ts'
import { TaskVault } from '../tasks/task-vault.ts'
import { Tasks } from '../tasks/tasks.ts'
import { Durations } from '../telemetry/measure.ts'
import { ObservedRecorder } from '../telemetry/observe-recorder.ts'
import type { CallObserver } from '../telemetry/start-telemetry.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'

interface CorridorDeps {
  readonly store: Store
  /** The key from which all other secrets are derived. */
  readonly key: Buffer
  readonly catalog: Catalog
  /** The current config. */
  readonly config: () => Config
  readonly rules: () => Rules
  readonly longWork: LongWork
  readonly scopeNow: CallDeps['scopeNow']
  readonly isAsBefore: CallDeps['isAsBefore']
  /** True if only the caller itself can show that its credential is valid, as with an issuer's token after a restart. */
  readonly isForeign: TaskDeps['isForeign']
  readonly findServer: (name: string) => UpstreamServer | undefined
  readonly findSet: TaskDeps['findSet']
  readonly onAsked: (approval: StoredApproval) => void
  /** Called when a session has touched a risk factor for the first time. */
  readonly onRiskFactors: (session: SessionName, riskFactors: SessionRiskFactors) => void
  readonly onError: (error: unknown) => void
  readonly onlooker: Pick<CallObserver, 'watch' | 'onOutcome'>
}

export interface Corridor extends CallDeps, Watched {
  readonly recorder: ObservedRecorder
  readonly audit: AuditRecorder
  readonly tasks: Tasks
}

/** Creates everything that the corridor depends on. Apart from this file, only `main.ts` names concrete classes. */
export function wireCorridor(deps: CorridorDeps): Corridor {
  const { store, key, catalog, config, rules, findServer, onAsked, onError } = deps
  const { limits } = config()
  const waits = new Durations()
  const audit = new AuditRecorder({
    store: store.audit,
    secret: key,
    maskText: maskSecrets,
    failOpenReads: () => config().audit.failOpenReads,
    onWaited: (count, seconds) => waits.add(seconds, count),
    onError,
  })
  const tasks = new Tasks({
    store: store.tasks,
    vault: new TaskVault(key),
    corridor: () => corridor,
    onChange: listener => store.onChange(listener),
    isForeign: deps.isForeign,
    findSet: deps.findSet,
    onError,
    mark: markProcess(),
  })
  const corridor: Corridor = {
    catalog,
    tasks,
    watch: deps.onlooker.watch,
    audit,
    recorder: new ObservedRecorder(audit, waits, deps.onlooker.onOutcome),
    results: new ResultKeeper({
      store: store.results,
      chars: limits.answerChars,
      keepMs: limits.keptMs,
      quota: { ownerBytes: limits.keptBytesPerPrincipal, totalBytes: limits.keptBytes },
      randomBytes,
    }),
    searcher: new Searcher(),
    turns: new Turns(),
    longWork: deps.longWork,
    rates: store.rates,
    sessions: new SessionMemory({
      sessions: limits.sessions,
      idleMs: limits.sessionIdleMs,
      store: store.sessions,
      isShared: store.isShared,
      onError,
      onRiskFactors: deps.onRiskFactors,
    }),
    passages: new PassageMemory({
      store: store.passages,
      sealer: new TextSealer(key, 'passages'),
      hasher: new TokenHasher(key),
      isShared: store.isShared,
      isOff: () => rules().confirm.provenance === 'off',
    }),
    approvals: createApprovals(store, {
      longestMs: () => config().confirm.longestMs,
      onGrant: change => recordGrant(audit, `req_${createName(9)}`, change),
    }),
    sealer: new Sealer(key),
    scopeNow: deps.scopeNow,
    isAsBefore: deps.isAsBefore,
    findServer,
    rules,
    failOpenReads: () => config().audit.failOpenReads,
    confirming: () => config().confirm,
    onAsked,
  }
  return corridor
}
