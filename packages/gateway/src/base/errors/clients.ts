import {
  because,
  FAILED,
  type FilePayload,
  kind,
  type NamePayload,
  type ServerPayload,
  USAGE,
} from './kind.ts'

export const CLIENT_ERRORS = {
  client_unknown: kind<{ readonly name: string; readonly known: readonly string[]; readonly meant?: string }>(
    {
      http: 404,
      exit: USAGE,
      message: p =>
        `Unknown client ${JSON.stringify(p.name)}; ${p.meant === undefined ? `the known clients are ${p.known.join(', ')}` : `did you mean ${p.meant}?`}`,
      remedy: 'Use a name from hintgate connect --help.',
    },
  ),
  client_file_invalid: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.file}: the client's config is not valid${because(p.why)}`,
    remedy: 'Correct the file and run the command again. Nothing was changed.',
  }),
  client_file_unreadable: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.file} cannot be read or written${because(p.why)}`,
    remedy: 'Check that it is a regular file that the current user can read and write. Nothing was changed.',
  }),
  client_file_read_only: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `No permission to write ${p.file}`,
    remedy: 'Give the current user write permission for the file and its folder. Nothing was changed.',
  }),
  client_file_changed: kind<FilePayload>({
    http: 409,
    exit: FAILED,
    message: p => `Another program changed ${p.file} while this command was running`,
    remedy: 'Close the client and run the command again. Nothing was changed.',
  }),
  client_entry_taken: kind<FilePayload & NamePayload>({
    http: 409,
    exit: FAILED,
    message: p => `${p.file} already has a server named ${p.name} that hintgate connect did not add`,
    remedy: 'Choose another name with --name, or remove that server from the file.',
  }),
  client_not_connected: kind<{ readonly client: string }>({
    http: 404,
    exit: FAILED,
    message: p => `${p.client} was not connected with hintgate connect`,
    remedy: 'Connect it with hintgate connect. If the entry was added by hand, remove it by hand.',
  }),
  home_missing: kind({
    http: 500,
    exit: USAGE,
    message: () => 'The home folder is unknown: HOME is unset or not an absolute path',
    remedy: 'Set HOME (on Windows USERPROFILE) to an absolute path.',
  }),
  home_unwritable: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `Cannot write to ${p.file}${because(p.why)}`,
    remedy: 'Give the current user write permission for this folder, or choose another with --home.',
  }),
  config_exists: kind<FilePayload>({
    http: 409,
    exit: FAILED,
    message: p => `${p.file} already exists`,
    remedy: 'Edit the existing file, or choose another path with --config. Nothing was changed.',
  }),
  config_changed: kind<FilePayload>({
    http: 409,
    exit: FAILED,
    message: p => `${p.file} was changed after it was read`,
    remedy: 'Run the command again. Nothing was changed.',
  }),
  config_unwritable: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `No permission to write ${p.file}`,
    remedy: 'Give the current user write permission for the file and its folder. Nothing was changed.',
  }),
  server_exists: kind<ServerPayload>({
    http: 409,
    exit: FAILED,
    message: p => `A server named ${p.server} already exists`,
    remedy: 'Choose another name, or remove the existing server with hintgate servers remove.',
  }),
} as const
