import type { Operation } from '../derive/operations.ts'
import { listWords } from './word-list.ts'

/**
 * Evidence from a verb. `readOnly` is in log-odds: positive for reading, negative for changing something; ±3 is about
 * 95 %. `destructive` and `idempotent` are probabilities for a tool that is *not* read-only.
 */
export interface VerbRule {
  readonly id: string
  readonly words: readonly string[]
  readonly operations: readonly Operation[]
  readonly readOnly: number
  readonly destructive: number
  readonly idempotent: number
  /**
   * Verbs in this row that are equally often nouns ("search", "report"). They weigh less in the middle of a name or a
   * sentence.
   */
  readonly nouns?: readonly string[]
  readonly egress?: true
  readonly reversible?: boolean
}

const read: readonly Operation[] = ['read']
const create: readonly Operation[] = ['create']
const update: readonly Operation[] = ['update']
const remove: readonly Operation[] = ['delete']

/** Verbs that are common in APIs, grouped by what they do. Each verb is in only one row. */
export const VERB_RULES: readonly VerbRule[] = [
  // Verbs that read.
  {
    id: 'verb.list',
    words: listWords('list ls enumerate dir'),
    operations: read,
    readOnly: 5,
    destructive: 0.05,
    idempotent: 0.9,
  },
  {
    id: 'verb.get',
    words: listWords('get fetch retrieve read show describe lookup peek grep glob recall obtain whoami'),
    operations: read,
    readOnly: 4.6,
    destructive: 0.1,
    idempotent: 0.9,
  },
  {
    id: 'verb.find',
    words: listWords('find browse discover explore inspect introspect examine whois'),
    operations: read,
    readOnly: 4,
    destructive: 0.1,
    idempotent: 0.9,
  },
  {
    id: 'verb.search',
    words: listWords('locate'),
    nouns: listWords('search query scan filter lookups sample'),
    operations: read,
    readOnly: 2.6,
    destructive: 0.2,
    idempotent: 0.8,
  },
  {
    id: 'verb.scrape',
    words: listWords('crawl scrape'),
    operations: read,
    readOnly: 1.8,
    destructive: 0.1,
    idempotent: 0.6,
  },
  {
    id: 'verb.view',
    words: listWords('display cat tail observe see enquire preview'),
    nouns: listWords('view print head trace dump'),
    operations: read,
    readOnly: 3.2,
    destructive: 0.1,
    idempotent: 0.9,
  },
  {
    id: 'verb.check',
    words: listWords('verify validate assess healthcheck recheck'),
    nouns: listWords('check lint audit probe ping exists'),
    operations: read,
    readOnly: 2.1,
    destructive: 0.15,
    idempotent: 0.6,
  },
  {
    id: 'verb.test',
    words: listWords('retest'),
    nouns: listWords('test'),
    operations: create,
    readOnly: -0.4,
    destructive: 0.2,
    idempotent: 0.3,
  },
  {
    id: 'verb.analyse',
    words: listWords(
      'analyze analyse diagnose detect identify compare explain summarize summarise calculate predict classify correlate investigate troubleshoot determine interpret infer simulate calc recognize recognise cite critique',
    ),
    nouns: listWords(
      'diff review measure estimate count aggregate forecast rank research score benchmark compute',
    ),
    operations: read,
    readOnly: 2.1,
    destructive: 0.15,
    idempotent: 0.6,
  },
  {
    id: 'verb.advise',
    words: listWords(
      'suggest recommend advise ask learn think provide give tell inform brainstorm consult clarify return',
    ),
    nouns: listWords('help guide answer quote report chat plan propose reason'),
    operations: read,
    readOnly: 1.7,
    destructive: 0.1,
    idempotent: 0.4,
  },
  {
    id: 'verb.watch',
    words: listWords('poll wait await listen sleep consume'),
    nouns: listWords('watch track monitor'),
    operations: read,
    readOnly: 1.3,
    destructive: 0.1,
    idempotent: 0.6,
  },
  {
    id: 'verb.convert',
    words: listWords(
      'parse translate decode encode tokenize transcribe extract geocode stringify beautify prettify autocomplete ocr rerank evaluate convert visit collect assert expect gather',
    ),
    nouns: listWords('hash expand echo map match highlight'),
    operations: read,
    readOnly: 1.4,
    destructive: 0.2,
    idempotent: 0.6,
  },
  {
    id: 'verb.capture',
    words: listWords('take'),
    nouns: listWords('snapshot capture screenshot picture'),
    operations: read,
    readOnly: 1.2,
    destructive: 0.1,
    idempotent: 0.5,
  },
  // Verbs whose result is either written to a file or only returned.
  {
    id: 'verb.export',
    words: listWords('render download'),
    nouns: listWords('export'),
    operations: read,
    readOnly: 1.1,
    destructive: 0.15,
    idempotent: 0.5,
  },
  {
    id: 'verb.generate',
    words: listWords('generate synthesize synthesise produce prepare draw visualize visualise'),
    operations: create,
    readOnly: -0.5,
    destructive: 0.15,
    idempotent: 0.2,
  },
  // Verbs that add something.
  {
    id: 'verb.create',
    words: listWords(
      'create make compose define init initialize initialise scaffold bootstrap instantiate establish allocate provision register duplicate mint new spawn',
    ),
    nouns: listWords('draft clone fork copy issue author seed build'),
    operations: create,
    readOnly: -4,
    destructive: 0.2,
    idempotent: 0.12,
    reversible: true,
  },
  {
    id: 'verb.add',
    words: listWords(
      'add append insert prepend attach invite enroll enrol join ingest remember memorize memorise enqueue annotate reinvite populate accumulate nest',
    ),
    nouns: listWords(
      'log record upload import store push commit schedule backup queue book reserve comment note load index group',
    ),
    operations: create,
    readOnly: -3.2,
    destructive: 0.15,
    idempotent: 0.12,
  },
  {
    id: 'verb.relate',
    words: listWords(
      'assign associate bind subscribe follow upvote grant onboard delegate allow permit entitle',
    ),
    nouns: listWords('link tag label star like react bookmark pin favorite favourite vote share claim flag'),
    operations: update,
    readOnly: -2.8,
    destructive: 0.2,
    idempotent: 0.46,
    reversible: true,
  },
  {
    id: 'verb.send',
    words: listWords('send notify forward broadcast dispatch deliver announce respond submit publish'),
    nouns: listWords('email tweet dm reply message post fax feedback'),
    operations: create,
    readOnly: -3.2,
    destructive: 0.25,
    idempotent: 0.08,
    egress: true,
    reversible: false,
  },
  // Verbs that change something.
  {
    id: 'verb.update',
    words: listWords(
      'update edit modify change alter adjust amend revise tune customize customise refine extend renew refactor rewrite rename reorder rearrange increment decrement upgrade downgrade promote demote reassign reschedule resize enhance enrich fix repair correct integrate ungroup align distribute normalize normalise sanitize standardize',
    ),
    nouns: listWords('patch bump touch transition progress scale format style'),
    operations: update,
    readOnly: -3.6,
    destructive: 0.55,
    idempotent: 0.6,
  },
  {
    id: 'verb.set',
    words: listWords('set configure upsert setup tweak mark'),
    nouns: listWords('put fill'),
    operations: update,
    readOnly: -3.4,
    destructive: 0.54,
    idempotent: 0.68,
  },
  {
    id: 'verb.toggle',
    words: listWords('toggle flip invert'),
    operations: update,
    readOnly: -3,
    destructive: 0.25,
    idempotent: 0.1,
    reversible: true,
  },
  {
    id: 'verb.overwrite',
    words: listWords(
      'write replace overwrite save substitute override redact transform apply synchronize synchronise reindex',
    ),
    nouns: listWords('swap sync pull stash'),
    operations: update,
    readOnly: -2.6,
    destructive: 0.6,
    idempotent: 0.45,
  },
  {
    id: 'verb.move',
    words: listWords('move migrate relocate merge rebase squash cherrypick'),
    nouns: listWords('transfer split'),
    operations: update,
    readOnly: -3.2,
    destructive: 0.54,
    idempotent: 0.25,
  },
  {
    id: 'verb.manage',
    words: listWords('manage operate administer maintain handle interact orchestrate'),
    nouns: listWords('control process'),
    operations: update,
    readOnly: -1.3,
    destructive: 0.54,
    idempotent: 0.2,
  },
  {
    id: 'verb.switch-on',
    words: listWords(
      'enable activate resume unpause unlock unmute unhide reopen start boot wake restart reboot reload refresh restore recover undelete unarchive untrash reinstate begin',
    ),
    nouns: listWords('power'),
    operations: update,
    readOnly: -1.5,
    destructive: 0.3,
    idempotent: 0.52,
    reversible: true,
  },
  {
    id: 'verb.switch-off',
    words: listWords(
      'disable deactivate pause suspend mute hide freeze snooze quarantine unpublish unshare unsubscribe unfollow unlike unstar unpin untag unassign unlink detach disassociate dissociate unbind lock',
    ),
    nouns: listWords('block'),
    operations: update,
    readOnly: -2.0,
    destructive: 0.4,
    idempotent: 0.6,
  },
  {
    id: 'verb.end',
    words: listWords(
      'stop close shutdown finish complete resolve dismiss leave acknowledge ack conclude finalize finalise',
    ),
    nouns: listWords('halt end'),
    operations: update,
    readOnly: -1.6,
    destructive: 0.52,
    idempotent: 0.42,
  },
  {
    id: 'verb.decide',
    words: listWords('approve accept reject decline deny authorize authorise triage endorse'),
    nouns: listWords('sign'),
    operations: update,
    readOnly: -2.8,
    destructive: 0.52,
    idempotent: 0.52,
  },
  {
    id: 'verb.pay',
    words: listWords('pay buy withdraw redeem sell spend'),
    nouns: listWords('charge refund purchase deposit checkout order credit debit trade bid'),
    operations: create,
    readOnly: -3,
    destructive: 0.45,
    idempotent: 0.08,
    reversible: false,
  },
  {
    id: 'verb.deploy',
    words: listWords('redeploy'),
    nouns: listWords('release ship rollout deploy'),
    operations: ['create', 'update'],
    readOnly: -3,
    destructive: 0.54,
    idempotent: 0.25,
  },
  {
    id: 'verb.install',
    words: listWords('install'),
    nouns: listWords('launch'),
    operations: create,
    readOnly: -2.6,
    destructive: 0.35,
    idempotent: 0.3,
  },
  {
    id: 'verb.session',
    words: listWords(
      'login logout signin signout authenticate reauthenticate impersonate connect disconnect open',
    ),
    nouns: listWords('switch use'),
    operations: update,
    readOnly: -1.0,
    destructive: 0.15,
    idempotent: 0.52,
  },
  {
    id: 'verb.interface',
    words: listWords('click tap hover goto navigate doubleclick keypress'),
    nouns: listWords('press drag scroll swipe focus blur rotate pinch shake input type select go option'),
    operations: update,
    readOnly: -1.7,
    destructive: 0.55,
    idempotent: 0.2,
  },
  // Verbs that delete something.
  {
    id: 'verb.delete',
    words: listWords('delete destroy purge erase wipe truncate expunge nuke obliterate del rm rmdir shred'),
    nouns: listWords('trash drop'),
    operations: remove,
    readOnly: -5,
    destructive: 0.96,
    idempotent: 0.6,
    reversible: false,
  },
  {
    id: 'verb.remove',
    words: listWords(
      'remove discard uninstall prune deregister unregister unset clear evict cleanup unenroll exclude',
    ),
    nouns: listWords('empty flush clean'),
    operations: remove,
    readOnly: -4,
    destructive: 0.85,
    idempotent: 0.6,
  },
  {
    id: 'verb.archive',
    words: listWords('decommission deprecate deprovision archive'),
    nouns: listWords('retire sunset'),
    operations: remove,
    readOnly: -3.4,
    destructive: 0.72,
    idempotent: 0.6,
  },
  {
    id: 'verb.kill',
    words: listWords('kill terminate abort revoke invalidate kick expel cancel forget void'),
    nouns: listWords('ban expire'),
    operations: remove,
    readOnly: -3.6,
    destructive: 0.72,
    idempotent: 0.55,
  },
  {
    id: 'verb.reset',
    words: listWords('revert undo regenerate recreate reinitialize reformat'),
    nouns: listWords('reset rollback failover'),
    operations: ['update', 'delete'],
    readOnly: -3.4,
    destructive: 0.7,
    idempotent: 0.56,
  },
  // Verbs whose effect depends on the arguments.
  {
    id: 'verb.run',
    words: listWords('invoke perform'),
    nouns: listWords('run act curl transact'),
    operations: create,
    readOnly: -1.6,
    destructive: 0.6,
    idempotent: 0.1,
  },
  {
    id: 'verb.request',
    words: listWords('rerun resend combine confirm'),
    nouns: listWords('trigger call retry replay request batch'),
    operations: create,
    readOnly: -1.7,
    destructive: 0.42,
    idempotent: 0.1,
  },
  {
    id: 'verb.execute',
    words: listWords('execute exec eval sudo'),
    nouns: listWords('shell bash ssh'),
    operations: ['opaque'],
    readOnly: -2,
    destructive: 0.7,
    idempotent: 0.1,
  },
]
