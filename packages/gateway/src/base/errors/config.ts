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

const count = (problems: number): string => (problems === 1 ? '1 problem' : `${problems} problems`)

export const CONFIG_ERRORS = {
  registry_failed: kind<{ readonly registry: string; readonly why: string }>({
    http: 502,
    exit: FAILED,
    message: p => `The registry ${p.registry} cannot be used: ${p.why}`,
    remedy: 'Check "registry" in the config, or give another URL with --registry.',
  }),
  registry_unknown: kind<{ readonly server: string; readonly version: string }>({
    http: 404,
    exit: FAILED,
    message: p => `The registry has no version "${p.version}" of a server "${p.server}"`,
    remedy: 'Find its full name with hintgate servers search.',
  }),
  registry_unusable: kind<{ readonly server: string; readonly why: string }>({
    http: 422,
    exit: FAILED,
    message: p => `The server ${p.server} cannot be added from the registry: ${p.why}`,
    remedy:
      "Read the server's own instructions. If you trust it, add it with hintgate servers add NAME -- PROGRAM, or with --url.",
  }),
  config_invalid: kind<{ readonly file: string; readonly problems: readonly Problem[] }>({
    http: 500,
    exit: USAGE,
    message: p => `${p.file} has ${count(p.problems.length)}`,
    remedy: 'Fix the listed problems.',
  }),
  policy_invalid: kind<{ readonly problems: readonly PolicyProblem[] }>({
    http: 500,
    exit: USAGE,
    message: p => `The policies have ${count(p.problems.length)}`,
    remedy: 'Fix the listed problems.',
  }),
  listen_failed: kind<{ readonly address: string; readonly why: string }>({
    http: 500,
    exit: FAILED,
    message: p =>
      p.why === 'EADDRINUSE'
        ? `Another process is already listening on ${p.address}`
        : `Cannot listen on ${p.address}: ${p.why}`,
    remedy: 'Stop the other process, or choose another address with --listen. Port 0 picks a free port.',
  }),
  telemetry_missing: kind<{ readonly command: string }>({
    http: 500,
    exit: FAILED,
    message: p => `The packages that telemetry needs are not installed. Install them with: ${p.command}`,
    remedy: 'Run this command where hintgate is installed, or remove "telemetry" from the config.',
  }),
  search_model_missing: kind<{ readonly command: string }>({
    http: 500,
    exit: FAILED,
    message: p =>
      `The packages that semantic search needs are not installed. Install them with: ${p.command}`,
    remedy:
      'Run this command where hintgate is installed or next to the config, or set "search.semantic" to false.',
  }),
  unknown_server: kind<ServerPayload>({
    http: 404,
    exit: USAGE,
    message: p => `There is no server named ${p.server}`,
    remedy: 'Use a name from mcpServers in the config.',
  }),
  secret_key_exposed: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `Other users can read the secret key ${p.file}`,
    remedy:
      'Run chmod 600 on the file. If another user could have read it, delete it and create all tokens again.',
  }),
  secret_key_weak: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `The secret key ${p.file} is too weak${because(p.why)}`,
    remedy:
      'Delete the file. The next start creates a random key; then create all tokens again. For replicas, create the key with openssl rand -base64 32.',
  }),
  secret_key_unreadable: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `The secret key ${p.file} cannot be read or created${because(p.why)}`,
    remedy: 'Give the current user read and write permission for this folder, or choose another with --home.',
  }),
  secret_key_differs: kind<StorePayload>({
    http: 500,
    exit: FAILED,
    message: p => `Another gateway on ${p.store} uses a different secret key`,
    remedy:
      'Give all replicas the same key with HINTGATE_SECRET_KEY or HINTGATE_SECRET_KEY_FILE. See docs/scale.md.',
  }),
} as const
