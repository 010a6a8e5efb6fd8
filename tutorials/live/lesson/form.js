// The fields of a lesson's options, and what the program is called with for them.

// A file that was picked or dropped, as the program finds it.
async function givenFile(file) {
  const name = file.name.replace(/[/\\\0]/g, "_");
  return { path: `/given/${name}`, bytes: new Uint8Array(await file.arrayBuffer()) };
}

function setUpFileField(box) {
  const input = box.querySelector("input");
  const clear = box.querySelector("button");
  clear.addEventListener("click", () => {
    input.value = "";
    input.focus();
  });
  box.addEventListener("dragover", (event) => {
    event.preventDefault();
    box.classList.add("over");
  });
  box.addEventListener("dragleave", () => box.classList.remove("over"));
  box.addEventListener("drop", (event) => {
    event.preventDefault();
    box.classList.remove("over");
    if (event.dataTransfer.files.length > 0) input.files = event.dataTransfer.files;
  });
}

// { args, folders, files }: an empty field is left out. Several files stand for their folder.
async function taskOf(form) {
  const task = { args: [], folders: ["/given", "/kept"], files: [] };
  for (const field of form.querySelectorAll("[data-option]")) {
    const option = field.dataset.option;
    if (field.type === "checkbox") {
      if (field.checked) task.args.push(option);
    } else if (field.type === "file") {
      if (field.files.length === 0) continue;
      const files = await Promise.all([...field.files].map(givenFile));
      task.files.push(...files);
      task.args.push(option, field.multiple ? "/given" : files[0].path);
    } else if (option === "words") {
      task.args.push(...field.value.split(/\s+/).filter((word) => word !== ""));
    } else if (field.value !== "") {
      task.args.push(option, field.value);
    }
  }
  return task;
}
