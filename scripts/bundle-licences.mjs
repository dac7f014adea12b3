// Collects the licences of bundled packages, which must be shipped with the code.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The licence texts of the packages that contain these modules. */
export function gatherLicences(modules) {
  const packages = modules.map(id => /.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0])
  const texts = [...new Set(packages)]
    .filter(folder => folder !== undefined)
    .toSorted()
    .map(readLicence)
  return `${texts.join('\n\n')}\n`
}

function readLicence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()
  return `${name} ${version} (${license})\n\n${text}`
}
