// Rows as a CSV file of the browser, by the rules of the client's lines.
import { csvLine } from '../../client/client.ts'

export const saveCsv = (rows: readonly (readonly unknown[])[], name: string): void =>
  saveFile(new Blob(rows.map(csvLine), { type: 'text/csv' }), name)

export const saveFile = (content: Blob, name: string): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
