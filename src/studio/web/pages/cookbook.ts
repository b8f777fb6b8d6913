// The recipes of the cookbook, read off its page (grammar/COOKBOOK.md).

export type Recipe = {
  readonly title: string
  readonly sql: string
  readonly body: string
  readonly query?: string
}

/** Each section has a title, the query and the body of a message, and the script that takes it. */
export const recipesOf = (page: string): readonly Recipe[] =>
  page
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.slice(0, section.indexOf('\n')),
      sql: blockOf(section, 'Script'),
      body: blockOf(section, 'Body'),
      query: blockOf(section, 'Query'),
    }))

const blockOf = (section: string, name: string): string =>
  new RegExp(`^${name}:\\n\`\`\`\\w*\\n([^]*?)\\n\`\`\`$`, 'm').exec(section)?.[1] ?? ''
