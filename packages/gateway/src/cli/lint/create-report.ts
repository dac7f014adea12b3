import type { Paint } from '../terminal/colours.ts'
import type { Report } from './report.ts'
import { jsonReport } from './report-json.ts'
import { markdownReport } from './report-markdown.ts'
import { sarifReport } from './report-sarif.ts'
import { textReport } from './report-text.ts'

export const FORMATS = ['text', 'json', 'sarif', 'markdown'] as const

export type Format = (typeof FORMATS)[number]

export function createReport(format: Format, paint: Paint): Report {
  switch (format) {
    case 'text':
      return textReport(paint)
    case 'json':
      return jsonReport()
    case 'sarif':
      return sarifReport()
    case 'markdown':
      return markdownReport()
  }
}
