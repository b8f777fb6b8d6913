// The authorization page's style: one card on a quiet ground, in the studio's colours and measures, light or dark as the
// reader prefers.
import { palette } from '../../base/palette.ts'

export const style = `${palette}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; padding: 24px 16px; display: flex; flex-direction: column; align-items: center;
  justify-content: center; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main {
  width: 100%; max-width: 400px; padding: 32px 30px; background: var(--card); border: 1px solid var(--line);
  border-radius: var(--radius); box-shadow: 0 1px 2px rgb(0 0 0 / 5%), 0 12px 32px rgb(0 0 0 / 6%);
}
.brand { display: flex; align-items: center; gap: 8px; margin: 0 0 22px; font-weight: 650; font-size: 17px; color: var(--leaf); }
.brand img { display: block; height: 24px; max-width: 180px; width: auto; }
h1 { margin: 0 0 6px; font-size: 22px; line-height: 1.25; font-weight: 650; letter-spacing: -0.01em; overflow-wrap: anywhere; }
p { margin: 0 0 20px; color: var(--quiet); overflow-wrap: anywhere; }
p.caption { margin-bottom: 6px; color: var(--ink); font-size: 14px; font-weight: 550; }
p strong, li strong { color: var(--ink); font-weight: 600; }
[hidden] { display: none !important; }
a { color: var(--leaf); }
label { display: block; margin: 0 0 16px; font-size: 14px; font-weight: 550; }
input, select {
  display: block; width: 100%; margin-top: 5px; padding: 8px 11px; font: inherit;
  font-weight: 400; color: inherit; background: var(--card);
  border: 1px solid var(--line); border-radius: 8px;
}
input:focus-visible, select:focus-visible { outline: 2px solid var(--leaf); outline-offset: -1px; border-color: transparent; }
button {
  width: 100%; padding: 8px 14px; font: inherit; font-weight: 550; border-radius: 8px; border: 1px solid transparent;
  background: var(--leaf); color: var(--on-leaf); cursor: pointer;
}
button:hover { background: var(--leaf-deep); }
button:focus-visible, a:focus-visible { outline: 2px solid var(--leaf); outline-offset: 2px; }
button.second { background: transparent; color: inherit; border-color: var(--line); }
button.second:hover { border-color: var(--quiet); }
.choice { display: flex; flex-direction: row-reverse; gap: 12px; }
form.single { margin: 18px 0 0; text-align: center; }
button.link {
  width: auto; padding: 2px 4px; background: none; color: var(--quiet); font-size: 14px; font-weight: 500;
  text-decoration: underline; text-underline-offset: 3px;
}
.account {
  display: flex; align-items: center; gap: 12px; margin: 0 0 20px; padding: 12px 14px; border: 1px solid var(--line);
  border-radius: 10px; min-width: 0;
}
.account .mark {
  flex: none; width: 36px; height: 36px; border-radius: 50%; display: grid; place-items: center; font-weight: 650;
  background: var(--leaf); color: var(--on-leaf);
}
.account .who { min-width: 0; line-height: 1.3; }
.account .who span { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.account .who .second { font-size: 14px; color: var(--quiet); }
ul { margin: 0 0 24px; padding: 0; list-style: none; color: var(--quiet); font-size: 15px; }
li { position: relative; padding: 0 0 8px 24px; overflow-wrap: anywhere; }
li::before {
  content: ""; position: absolute; left: 4px; top: 4px; width: 6px; height: 10px; border: solid var(--leaf);
  border-width: 0 2px 2px 0; transform: rotate(42deg);
}
li.not::before {
  left: 2px; top: 10px; width: 11px; height: 0; border-color: var(--quiet); border-width: 2px 0 0; transform: none;
}
.box { margin: 0 0 20px; padding: 10px 14px; border: 1px solid var(--line); border-radius: 10px; color: var(--ink); }
select { margin-bottom: 20px; }
option { background: var(--card); color: var(--ink); }
.alert { margin: 0 0 18px; padding: 10px 14px; border-radius: 8px; background: var(--bad-ground); color: var(--bad); font-size: 15px; }
footer { margin-top: 18px; font-size: 13px; color: var(--quiet); }
@media (max-width: 460px) {
  body { padding: 0; justify-content: flex-start; background: var(--card); }
  /* A phone zooms into smaller fields. */
  input, select { font-size: 16px; }
  main { border: 0; border-radius: 0; box-shadow: none; max-width: none; padding: 32px 22px 24px; }
}
`
