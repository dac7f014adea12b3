// Shifts the clock of a process: node --import clock.mjs. The file HINTGATE_STORY_CLOCK holds the offset in milliseconds.
// A day of calls then takes seconds.
import { existsSync, readFileSync } from 'node:fs'

const file = process.env.HINTGATE_STORY_CLOCK
const RealDate = Date
let [offset, readAt] = [0, 0]

function ahead() {
  const now = RealDate.now()
  if (file !== undefined && now - readAt > 5 && existsSync(file)) {
    offset = Number(readFileSync(file, 'utf8')) || 0
    readAt = now
  }
  return offset
}

globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [RealDate.now() + ahead()] : args))
  }

  static now() {
    return RealDate.now() + ahead()
  }
}
