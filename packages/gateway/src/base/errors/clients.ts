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
        `There is no client ${JSON.stringify(p.name)}; ${p.meant === undefined ? `known are ${p.known.join(', ')}` : `did you mean ${p.meant}?`}`,
      remedy: 'Take a name from hintgate connect --help.',
    },
  ),
  client_file_invalid: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.file}: the client's config cannot be understood${because(p.why)}`,
    remedy: 'Mend that line of the file and try again; nothing was changed.',
  }),
  client_file_unreadable: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.file} cannot be used${because(p.why)}`,
    remedy: 'See that it is a file which this user may read and write; nothing was changed.',
  }),
  client_file_read_only: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.file} may not be written`,
    remedy: 'Give this user the right to write the file and its folder; nothing was changed.',
  }),
  client_file_changed: kind<FilePayload>({
    http: 409,
    exit: FAILED,
    message: p => `${p.file} was changed by another program meanwhile`,
    remedy: 'Close the client and run the command again; nothing was changed.',
  }),
  client_entry_taken: kind<FilePayload & NamePayload>({
    http: 409,
    exit: FAILED,
    message: p => `${p.file} has a server called ${p.name} already, and it is not from us`,
    remedy: 'Choose another name with --name, or remove that server from the file.',
  }),
  client_not_connected: kind<{ readonly client: string }>({
    http: 404,
    exit: FAILED,
    message: p => `${p.client} is not connected by this command`,
    remedy: 'Connect it with hintgate connect; an entry made by hand is removed by hand.',
  }),
  home_missing: kind({
    http: 500,
    exit: USAGE,
    message: () => 'There is no home folder to look in',
    remedy: 'Set HOME to an absolute path (USERPROFILE on Windows).',
  }),
  home_unwritable: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `Nothing can be written to ${p.file}${because(p.why)}`,
    remedy: 'Give this user the right to write that folder, or choose another with --home.',
  }),
  config_exists: kind<FilePayload>({
    http: 409,
    exit: FAILED,
    message: p => `${p.file} is there already`,
    remedy: 'It is left as it is: edit it, or choose another place with --config.',
  }),
  config_changed: kind<FilePayload>({
    http: 409,
    exit: FAILED,
    message: p => `${p.file} was changed by somebody else meanwhile`,
    remedy: 'Run the command again; nothing was changed.',
  }),
  config_unwritable: kind<FilePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.file} may not be written`,
    remedy: 'Give this user the right to write the file and its folder; nothing was changed.',
  }),
  server_exists: kind<ServerPayload>({
    http: 409,
    exit: FAILED,
    message: p => `There is a server ${p.server} already`,
    remedy: 'Choose another name, or remove that one first: hintgate servers remove.',
  }),
} as const
