import type { DoctorFinding } from './finding.ts'
import { commandOf, quote, type Repair } from './repair.ts'

/** A file or folder of ours, as it lies on the disk. */
export interface FileFacts {
  readonly path: string
  /** `private`: whatever else nobody but us should read. */
  readonly role: 'home' | 'key' | 'config' | 'private'
  readonly isFolder: boolean
  /** The permission bits. */
  readonly mode: number
  readonly isWritable: boolean
}

const OTHERS = 0o077
const WORLD_WRITES = 0o002

export function checkPermissions(files: readonly FileFacts[]): readonly DoctorFinding[] {
  return files.flatMap(file => [...checkAccess(file), ...checkMode(file)])
}

function checkAccess({ path, role, isWritable }: FileFacts): readonly DoctorFinding[] {
  if (role !== 'home' || isWritable) return []
  return [
    {
      code: 'home_unwritable',
      level: 'error',
      text: `this user may not write into ${path}, where the store and the secret key are`,
      fix: `sudo chown -R "$(id -un)" ${quote(path)}; or choose another folder with --home`,
    },
  ]
}

function checkMode(file: FileFacts): readonly DoctorFinding[] {
  const { path, role, mode, isFolder } = file
  if (role === 'config') return checkConfigMode(file)
  if ((mode & OTHERS) === 0) return []
  const repair: Repair = { does: 'chmod', path, mode: isFolder ? 0o700 : 0o600 }
  return [{ ...explain(file), fix: commandOf(repair), repair }]
}

function explain({ path, role, mode }: FileFacts): Pick<DoctorFinding, 'code' | 'level' | 'text'> {
  const seen = `its mode is ${mode.toString(8)}`
  if (role === 'key')
    return {
      code: 'secret_key_exposed',
      level: 'error',
      text: `others can get at the secret key ${path} (${seen}), and no gateway starts with it. If somebody may have read it: delete it and create all tokens anew`,
    }
  if (role === 'home')
    return { code: 'home_exposed', level: 'warning', text: `others can look into ${path} (${seen})` }
  return { code: 'file_exposed', level: 'warning', text: `others can get at ${path} (${seen})` }
}

/** Who writes the config says which programs we start. Who may read it is its owner's business. */
function checkConfigMode({ path, mode }: FileFacts): readonly DoctorFinding[] {
  if ((mode & WORLD_WRITES) === 0) return []
  const repair: Repair = { does: 'chmod', path, mode: mode & ~WORLD_WRITES }
  return [
    {
      code: 'config_writable',
      level: 'error',
      text: `everybody on this machine can write ${path} (its mode is ${mode.toString(8)}), and it says which programs are started`,
      fix: commandOf(repair),
      repair,
    },
  ]
}
