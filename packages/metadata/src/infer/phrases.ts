import { listPhrases } from './word-list.ts'

/**
 * Evidence from a fixed phrase, in log-odds. With `turns`, a negation before the phrase reverses the evidence ("not
 * idempotent"); without it, a negation cancels the evidence.
 */
export interface PhraseRule {
  readonly id: string
  readonly phrases: readonly string[]
  readonly readOnly?: number
  readonly destructive?: number
  readonly idempotent?: number
  readonly turns?: true
  readonly egress?: true
  readonly sensitive?: true
  readonly reversible?: boolean
  readonly openWorld?: number
}

/** Phrases match whole words. "read-only" and "read only" are the same two words. */
export const PHRASE_RULES: readonly PhraseRule[] = [
  {
    id: 'phrase.read-only',
    phrases: listPhrases(
      'read only, readonly, safe to call, purely informational, side effect free, no side effects',
    ),
    readOnly: 3,
    turns: true,
  },
  {
    id: 'phrase.no-change',
    phrases: listPhrases(
      'does not modify, does not change, does not alter, does not write, does not create, ' +
        'does not execute, doesnt modify, doesnt change, no changes, nothing is changed, ' +
        'nothing is modified, without modifying, without changing, without making changes, ' +
        'never modifies, never writes, never changes, will not modify, no modifications, ' +
        'non mutating, dry run only',
    ),
    readOnly: 1.4,
  },
  {
    id: 'phrase.documentation',
    phrases: listPhrases(
      'best practices, step by step guidance, documentation for, provides documentation, ' +
        'up to date documentation, instructions for, guidance for, guidance on',
    ),
    readOnly: 1,
  },
  {
    id: 'phrase.irreversible',
    phrases: listPhrases(
      'cannot be undone, can not be undone, cant be undone, cannot be reversed, ' +
        'cannot be recovered, cannot be restored, irreversible, irreversibly, irrecoverable, ' +
        'unrecoverable, permanent deletion, permanently, data loss, will be lost, be deleted, ' +
        'be overwritten, no undo',
    ),
    readOnly: -1.2,
    destructive: 1.6,
    reversible: false,
  },
  {
    id: 'phrase.destructive',
    phrases: listPhrases('destructive, dangerous, use with caution, with extreme caution, high risk'),
    readOnly: -1,
    destructive: 1.8,
    turns: true,
  },
  {
    id: 'phrase.non-destructive',
    phrases: listPhrases('non destructive, nondestructive, additive'),
    destructive: -1.6,
  },
  {
    id: 'phrase.replaces',
    phrases: listPhrases(
      'overwrites, overwrite, overwriting, overwritten, full replacement, full replace, ' +
        'fully replaces, replaces the entire, replaces all, replaces the existing, ' +
        'replaces existing, entire existing, omitted fields',
    ),
    readOnly: -0.6,
  },
  {
    id: 'phrase.recoverable',
    phrases: listPhrases(
      'can be restored, can be undone, can be recovered, be restored later, reversible, ' +
        'soft delete, soft deletes, to trash, to the trash, recycle bin, recently deleted',
    ),
    reversible: true,
  },
  {
    id: 'phrase.idempotent',
    phrases: listPhrases(
      'idempotent, idempotently, safe to retry, safe to repeat, no op if, has no effect if',
    ),
    idempotent: 2.5,
    turns: true,
  },
  {
    id: 'phrase.upsert',
    phrases: listPhrases(
      'create or update, creates or updates, created or updated, creates or replaces, ' +
        'add or update, adds or updates',
    ),
    readOnly: -0.8,
    idempotent: 2.4,
  },
  {
    id: 'phrase.into-local-files',
    phrases: listPhrases(
      'to a local file, to local file, to disk, to local disk, to the local project, ' +
        'to your local project, into your project, to your local machine, to the local filesystem',
    ),
    readOnly: -5.5,
    openWorld: -1,
  },
  {
    id: 'phrase.confirmation',
    phrases: listPhrases(
      'ask the user for confirmation, confirm with the user, requires confirmation, ' +
        'explicit confirmation, explicit approval, explicit user confirmation, user has confirmed, ' +
        'ask the user first, never run autonomously, without checking with the user, ' +
        'checking with the user first, user confirmation',
    ),
    readOnly: -1,
  },
  {
    id: 'phrase.arbitrary-code',
    phrases: listPhrases(
      'arbitrary code, arbitrary command, arbitrary commands, arbitrary sql, shell command, ' +
        'shell commands, terminal command, raw sql, any sql, javascript expression, ' +
        'javascript code, python code, execute javascript, execute code',
    ),
    readOnly: -1.4,
  },
  {
    id: 'phrase.outside',
    phrases: listPhrases(
      'the web, the internet, external url, external service, public url, website, websites, web page',
    ),
    openWorld: 0.8,
  },
  {
    id: 'phrase.local',
    phrases: listPhrases(
      'local file, local files, filesystem, file system, local machine, locally, in memory, ' +
        'working directory',
    ),
    openWorld: -1.2,
  },
  {
    id: 'phrase.private-data',
    phrases: listPhrases(
      'personal data, personally identifiable, private messages, credentials, password, ' +
        'passwords, api keys, access token, connection string, secret, secrets, email address, ' +
        'medical, bank account',
    ),
    sensitive: true,
  },
]
