import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist", ".build", "src/gen", "*.config.js", "examples/*.mjs"] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: "error",
      "@typescript-eslint/no-confusing-void-expression": "off",
      "@typescript-eslint/explicit-module-boundary-types": "error",
      // node:test's promises are its own.
      "@typescript-eslint/no-floating-promises": [
        "error",
        { allowForKnownSafeCalls: [{ from: "package", package: "node:test", name: ["test", "describe"] }] },
      ],
    },
  },
);
