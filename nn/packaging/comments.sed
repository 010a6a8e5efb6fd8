# Makes doxygen's comments of plain ones: // before a declaration, and behind one. What doxygen would
# take for a command or a tag is escaped, except in examples, which are indented.
/^ *\/\/ \{0,4\}[^ ]/{
  s/[\\@#%&<>$]/\\&/g
  s/^\( *\)\/\/ /\1\/\/\/ /
}
s/^\( *\)\/\/\(     \)/\1\/\/\/\2/
s/^\( *\)\/\/$/\1\/\/\//
1s/^\/\/\/ /\/\/\/ \\file\n\/\/\/ /
/[;,]  *\/\/ /{
  s/\([;,]  *\)\/\/ /\1\/\/\/< \x02/
  :again
  s/\x02\([^\\@#%&<>$]*\)\([\\@#%&<>$]\)/\1\\\2\x02/
  t again
  s/\x02//
}
