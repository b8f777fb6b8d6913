// The icon of all pages: a coppice stool, cut low, with its young shoots.

export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2f7d4f"/>' +
  '<path d="M10 27v-5q6-3 12 0v5zM13 21Q8 14 9 6M16 21V4M19 21q5-7 4-15" fill="#fff" stroke="#fff" ' +
  'stroke-width="2.4" stroke-linecap="round" fill-opacity="0"/><path d="M10 28v-6q6-3 12 0v6z" fill="#fff"/></svg>\n'
