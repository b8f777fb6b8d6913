// The colours of every page that people see, in light and in dark: the authorization page has them inline, by a hash in
// its policy, the studio in its style sheet (studio/build.ts). Texts on their grounds have a contrast of 4.5 or more.

export const palette = `
:root {
  color-scheme: light dark;
  --ground: #f2f4ef;
  --card: #ffffff;
  --ink: #1f2a24;
  --quiet: #55625b;
  --line: #d5dcd3;
  --hover: #e9ede7;
  --leaf: #2f6b46;
  --leaf-deep: #24553a;
  --on-leaf: #ffffff;
  --leaf-ground: #e3efe7;
  --bad: #9d2b22;
  --bad-ground: #fbeceb;
  --warn: #7a5300;
  --warn-ground: #fbf1dd;
  --series-1: #2f6b46;
  --series-2: #b4531f;
  --series-3: #2f5fa8;
  --series-4: #8a3b8f;
  --series-5: #7a6a00;
  --series-6: #00727a;
  --radius: 10px;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #141a17;
    --card: #1d2521;
    --ink: #e7ede9;
    --quiet: #a1afa7;
    --line: #35423b;
    --hover: #26302b;
    --leaf: #7cc49a;
    --leaf-deep: #94d3ae;
    --on-leaf: #10201a;
    --leaf-ground: #22362b;
    --bad: #f2a29b;
    --bad-ground: #3a211f;
    --warn: #e8c47a;
    --warn-ground: #362c17;
    --series-1: #7cc49a;
    --series-2: #f0a070;
    --series-3: #8fb4f0;
    --series-4: #d79be0;
    --series-5: #d8c860;
    --series-6: #6fd0d8;
  }
}
`
