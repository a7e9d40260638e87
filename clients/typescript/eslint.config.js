import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist", ".build", "src/gen", "*.config.js"] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-console": "error",
      "no-shadow": "off",
      "prefer-const": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/no-unsafe-enum-assignment": "off", // the contract's enums are open: a later one has more values
      "@typescript-eslint/explicit-module-boundary-types": "error",
    },
  },
  { files: ["examples/**"], rules: { "no-console": "off" } },
  // node:test's promises are its own.
  {
    files: ["tests/**"],
    rules: {
      "@typescript-eslint/no-floating-promises": [
        "error",
        { allowForKnownSafeCalls: [{ from: "package", package: "node:test", name: ["test", "suite", "it", "describe"] }] },
      ],
    },
  },
);
