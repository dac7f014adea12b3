import {
  because,
  FAILED,
  type FilePayload,
  kind,
  type ServerPayload,
  type StorePayload,
  USAGE,
} from './kind.ts'
import type { PolicyProblem } from './policy-problem.ts'
import type { Problem } from './problem.ts'

export const CONFIG_ERRORS = {
  config_invalid: kind<{ readonly file: string; readonly problems: readonly Problem[] }>({
    http: 500,
    exit: USAGE,
    message: p => `${p.file}: ${p.problems.length === 1 ? 'a problem' : `${p.problems.length} problems`}`,
    remedy: 'Mend what is listed.',
  }),
  policy_invalid: kind<{ readonly problems: readonly PolicyProblem[] }>({
    http: 500,
    exit: USAGE,
    message: p => `policies: ${p.problems.length === 1 ? 'a problem' : `${p.problems.length} problems`}`,
    remedy: 'Mend what is listed.',
  }),
  listen_failed: kind<{ readonly address: string; readonly why: string }>({
    http: 500,
    exit: FAILED,
    message: p =>
      p.why === 'EADDRINUSE'
        ? `Something else listens on ${p.address} already`
        : `Cannot listen on ${p.address}: ${p.why}`,
    remedy: 'Stop the other process, or choose another address with --listen (port 0 takes a free one).',
  }),
  telemetry_missing: kind<{ readonly command: string }>({
    http: 500,
    exit: FAILED,
    message: p => `Telemetry needs packages that are not installed: ${p.command}`,
    remedy: 'Run that command where hintgate is installed, or take "telemetry" out of the config.',
  }),
  unknown_server: kind<ServerPayload>({
    http: 404,
    exit: USAGE,
    message: p => `There is no server ${p.server}`,
    remedy: 'Take a name from mcpServers in the config.',
  }),
  secret_key_exposed: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `Others can read the secret key ${p.file}`,
    remedy: 'chmod 600 that file. If somebody may have read it: delete it and create all tokens anew.',
  }),
  secret_key_weak: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `The secret key ${p.file} is no secret${because(p.why)}`,
    remedy:
      'Delete the file; the next start makes a good key, and tokens must be created anew. For replicas: openssl rand -base64 32.',
  }),
  secret_key_unreadable: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `The secret key ${p.file} cannot be read or made${because(p.why)}`,
    remedy: 'Give this user the right to read and write that folder, or choose another with --home.',
  }),
  secret_key_differs: kind<StorePayload>({
    http: 500,
    exit: FAILED,
    message: p => `Another gateway on ${p.store} has another secret key`,
    remedy:
      'Give all replicas the same key, as HINTGATE_SECRET_KEY or HINTGATE_SECRET_KEY_FILE; see docs/scale.md.',
  }),
} as const
