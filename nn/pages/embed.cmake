# heed_embed_attention(): the style and the scripts of nn/pages/attention_view.h, as strings in a
# source of the library. Editing one of the files makes CMake run again.
function(heed_embed_attention)
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/pages)
  set(scripts)
  foreach(name attention_view attention_controls attention_draw attention_heads attention_model attention_neuron
               attention_selftest)
    file(READ ${folder}/${name}.js text)
    string(APPEND scripts "    R\"heed(${text})heed\"\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/${name}.js)
  endforeach()
  file(READ ${folder}/attention_view.css style)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/attention_view.css)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/attention_texts.cpp)
  file(WRITE ${source}.new "// Made by nn/pages/embed.cmake.\n"
       "#include \"heed/nn/pages/attention_view.h\"\n\n"
       "namespace heed { inline namespace HEED_PRECISION {\n\n"
       "const std::string& attention_view_style() {\n"
       "    static const std::string style = R\"heed(${style})heed\";\n    return style;\n}\n\n"
       "const std::string& attention_view_script() {\n"
       "    static const std::string script =\n    \"(() => {\\n\\\"use strict\\\";\\n\"\n${scripts}"
       "    \"})();\\n\";\n    return script;\n}\n\n"
       "}}  // namespace heed\n")
  file(COPY_FILE ${source}.new ${source} ONLY_IF_DIFFERENT)
  heed_sources(${source})
endfunction()
