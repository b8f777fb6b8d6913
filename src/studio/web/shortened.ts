// A text from outside where there is room for a line of it: samples may be texts of any length.

export const shortened = (text: string, most = 200): string =>
  // Half of a pair of code units is no letter.
  text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
