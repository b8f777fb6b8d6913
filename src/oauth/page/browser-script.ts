// The page's only script. The contract's address is /alt/#signinoauth/?response_type=code&..., and a fragment never
// reaches the server: it becomes the query, which does. Nothing else needs a script.

export const script = `
(function () {
  var mark = location.hash.indexOf('?')
  if (location.search === '' && location.hash.indexOf('#signinoauth') === 0 && mark > 0)
    location.replace(location.pathname + location.hash.slice(mark))
})()
`
